"""The package says its types, and its documentation is right."""

import doctest
import pathlib

import futi


def test_types_are_said():
    assert (pathlib.Path(futi.__file__).parent / "py.typed").exists()


def test_the_documentation_is_right():
    assert doctest.testmod(futi).failed == 0
    for name in futi.__all__:
        assert getattr(futi, name).__doc__, name
    for name in ("grad", "value_and_grad", "jvp", "vjp", "jacobian", "hessian", "vmap", "put", "signature"):
        assert getattr(futi.Model, name).__doc__, name
