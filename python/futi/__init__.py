"""Futi: an array language with gradients you can trust, from Python.

>>> import futi
>>> m = futi.compile("entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (*) w x)")
>>> float(m.loss([1.0, 2.0], [3.0, 4.0]))
11.0
>>> m.grad("loss")([1.0, 2.0], [3.0, 4.0])
array([3., 4.])
"""

from ._check import check_grads
from ._futi import Array
from ._function import Function
from ._model import Model, compile, load
from ._trees import Opaque
from .errors import ArgumentError, FutiError, GradientError, InternalError, ProgramError, RunError

__all__ = [
    "Array",
    "ArgumentError",
    "Function",
    "FutiError",
    "GradientError",
    "InternalError",
    "Model",
    "Opaque",
    "ProgramError",
    "RunError",
    "check_grads",
    "compile",
    "load",
]
