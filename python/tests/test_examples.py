"""The examples of other frameworks, where these are."""

import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name, framework", [("jax_callback", "jax"), ("torch_function", "torch")])
def test_frameworks(name, framework):
    pytest.importorskip(framework)
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    value, by_x, by_k = example.main()
    # k / 2 · (1 + 4 + 9), k x, (1 + 4 + 9) / 2
    assert float(value) == 14.0 and float(by_k) == 7.0
    np.testing.assert_array_equal(np.asarray(by_x), [2.0, 4.0, 6.0])


def test_overheads_are_measured():
    ran = subprocess.run([sys.executable, EXAMPLES / "overheads.py", "--small"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "a call of ten elements" in ran.stdout
