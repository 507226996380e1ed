"""Programs that have been compiled for a backend."""

from __future__ import annotations

import os
import warnings
from typing import Any, Sequence

from . import _futi
from ._function import Function
from ._trees import written
from .errors import ArgumentError


def load(
    path: str | os.PathLike,
    *,
    backend: str = "interp",
    ad: str = "auto",
    checkpoints: int | None = None,
    tuning: dict[str, int] | None = None,
    device_arrays: bool = False,
) -> Model:
    """The program of a file, compiled for a backend.

    ``backend`` is ``"interp"`` or ``"vulkan"``. ``ad`` says how the interpreter gets derivatives: by ``"definition"``, by ``"transform"``, which keeps less, or
    as it finds best. ``checkpoints`` limits the bytes that transformed derivatives keep of a loop's states. ``tuning`` has values for ``#[param(NAME)]``. With
    ``device_arrays`` results are ``futi.Array``, which stay where they are until they are asked for.
    """
    options = _options(backend, ad, checkpoints, tuning)
    return Model(_futi.Model(path=os.fspath(path), **options), device_arrays)


def compile(
    source: str,
    *,
    backend: str = "interp",
    ad: str = "auto",
    checkpoints: int | None = None,
    tuning: dict[str, int] | None = None,
    device_arrays: bool = False,
) -> Model:
    """The program of a text: see :func:`load`. What it imports are files, seen from the current folder."""
    return Model(_futi.Model(text=source, **_options(backend, ad, checkpoints, tuning)), device_arrays)


def _options(backend, ad, checkpoints, tuning) -> dict[str, Any]:
    return {"backend": backend, "ad": ad, "checkpoints": checkpoints, "tuning": list((tuning or {}).items())}


class Model:
    """A program. Its entry points are its attributes; ``model["name"]`` is one whose name Python has taken.

    ``grad``, ``value_and_grad``, ``jvp``, ``vjp``, ``jacobian``, ``hessian`` and ``vmap`` take the name of an entry point, or a function that one of them has made.
    """

    def __init__(self, model: _futi.Model, device_arrays: bool = False):
        self._model, self._device_arrays = model, device_arrays
        said = model.warnings()
        if said:
            warnings.warn(said, stacklevel=3)

    @property
    def entry_points(self) -> list[str]:
        """The names of the entry points, in the order of the source."""
        return self._model.entries()

    def __getitem__(self, name: str) -> Function:
        params, result = self._model.signature(name)
        return Function._of(self, name, params, result)

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_") or name not in self.entry_points:
            raise AttributeError(f"the model has no entry point `{name}`: it has {', '.join(self.entry_points) or 'none'}")
        function = self[name]
        self.__dict__[name] = function
        return function

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.entry_points]

    def __repr__(self) -> str:
        return f"<futi.Model: {', '.join(self.entry_points)}>"

    def put(self, value, dtype: str = "f64") -> _futi.Array:
        """Brings a value to where the backend keeps values: NumPy arrays as they are, others as elements of this type."""
        names = {"float": "f", "int": "i", "uint": "u"}
        kind = str(getattr(value, "dtype", ""))
        for name, short in names.items():
            if kind.startswith(name):
                return self._model.put(short + kind[len(name) :], value)
        return self._model.put("bool" if kind == "bool" else dtype, value)

    def _function(self, which) -> Function:
        if isinstance(which, Function):
            return which
        if isinstance(which, str):
            return self[which]
        raise ArgumentError("the name of an entry point, or a function of the model, is wanted")

    def grad(self, which, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
        """The gradient of a function whose result is a float: with ``has_aux``, the first part of its result, the other one being given behind the gradient."""
        return self._function(which).grad(argnums, has_aux)

    def value_and_grad(self, which, *args, argnums: int | Sequence[int] = 0, has_aux: bool = False):
        """The same with the function's value before it. Where there is but one entry point, or one called ``main``, this is itself what computes both:
        ``scipy.optimize.minimize(model.value_and_grad, x, jac=True)``.
        """
        if isinstance(which, (str, Function)):
            return self._function(which).value_and_grad(argnums, has_aux)
        names = self.entry_points
        name = names[0] if len(names) == 1 else "main"
        return self[name].value_and_grad(argnums, has_aux)(which, *args)

    def jvp(self, which, primals: Sequence, tangents: Sequence) -> tuple[Any, Any]:
        """The value at ``primals``, and its derivative in the direction of ``tangents``, which has one for each of them."""
        return self._function(which).jvp(primals, tangents)

    def vjp(self, which, *primals):
        """The value at ``primals``, and the function that takes a cotangent of it to those of the primals."""
        return self._function(which).vjp(*primals)

    def jacobian(self, which, argnums: int | Sequence[int] = 0, mode: str = "reverse") -> Function:
        """All partial derivatives: for each array of the result, and each of the argument, one that has the dimensions of both. ``mode`` is ``"reverse"``,
        for functions with fewer results than arguments, or ``"forward"``.
        """
        return self._function(which).jacobian(argnums, mode)

    def hessian(self, which, argnums: int | Sequence[int] = 0) -> Function:
        """The second partial derivatives of a function whose result is a float."""
        return self._function(which).hessian(argnums)

    def vmap(self, which, in_axes: int | None | Sequence[int | None] = 0) -> Function:
        """The function at all elements of arrays, the outermost dimension of each argument; one whose axis is ``None`` is the same for all."""
        return self._function(which).vmap(in_axes)

    def signature(self, name: str) -> str:
        """An entry point with its types, as a program writes them."""
        params, result = self._model.signature(name)
        return name + "".join(f" ({p}: {written(t)})" for p, t in params) + f": {written(result)}"
