"""Derivatives held against differences."""

from __future__ import annotations

import numpy as np

from . import _trees as trees
from .errors import ArgumentError, GradientError

# The steps of differences, and what they may be wrong by, in proportion to the largest: the sixth and the cube root of the precision, rounded up.
TOLERANCE = {"f64": (6e-6, 1e-5), "f32": (5e-3, 2e-2), "f16": (6e-2, 2e-1)}


def check_grads(function, args, *, tries: int = 3, eps: float | None = None, rtol: float | None = None, seed: int = 0) -> None:
    """Holds the derivatives of a function of a model, in both modes, at these arguments, against central differences, in several random directions.

    ``futi.check_grads(m.loss, (w, x))``. Raises :class:`futi.GradientError`, which says what differs, and by how much. At kinks and jumps differences say
    nothing.
    """
    args = function._ordered(tuple(args), {})
    rng = np.random.default_rng(seed)
    floats = [elem for _, tree in function._args for elem, _ in trees.leaves(tree) if trees.is_float(elem)]
    if not floats:
        raise ArgumentError("the function has no floats to differentiate with respect to")
    narrowest = min(floats, key=lambda elem: int(elem[1:]))
    step, tolerance = TOLERANCE[narrowest]
    step, tolerance = eps or step, rtol or tolerance
    for k in range(tries):
        tangents = tuple(_direction(tree, arg, rng) for (_, tree), arg in zip(function._args, args))
        value, tangent = function.jvp(args, tangents)
        plus, minus = (function(*(_moved(t, a, d, s) for (_, t), a, d in zip(function._args, args, tangents))) for s in (step, -step))
        found = _float_leaves(function._result, tangent)
        wanted = [
            (p - m) / (2 * step) for p, m in zip(_float_leaves(function._result, plus), _float_leaves(function._result, minus))
        ]
        _compare("jvp", k, found, wanted, tolerance)
        cotangent = _direction(function._result, value, rng)
        _, pullback = function.vjp(*args)
        adjoints = pullback(cotangent)
        # ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩
        left = _dot(_float_leaves(function._result, cotangent), wanted)
        pairs = zip(function._args, adjoints, tangents)
        right = sum(_dot(_float_leaves(t, a), _float_leaves(t, d)) for (_, t), a, d in pairs)
        _compare("vjp", k, [np.asarray(right)], [np.asarray(left)], tolerance)


def _compare(mode: str, k: int, found, wanted, tolerance: float) -> None:
    scale = max([1.0, *(float(np.max(np.abs(w))) for w in wanted if w.size)])
    for i, (f, w) in enumerate(zip(found, wanted)):
        if f.shape != w.shape or not np.all(np.abs(f - w) <= tolerance * scale):
            worst = float(np.max(np.abs(f - w))) if f.shape == w.shape and f.size else float("nan")
            raise GradientError(f"{mode} in direction {k}, value {i}: {f} where differences say {w} (off by {worst:g}, {tolerance * scale:g} allowed)")


def _leaves(tree, value) -> list:
    out: list = []
    trees.flatten(tree, value, "a value", out)
    return out


def _float_leaves(tree, value) -> list[np.ndarray]:
    """The floats of a value, as numbers of double precision; what is no float may be missing."""
    from ._function import without_others

    return [np.asarray(x, dtype=np.float64) for x in _leaves(without_others(tree), value)]


def _direction(tree, value, rng):
    from ._function import without_others

    floats = without_others(tree)
    shapes = [np.shape(x) for x in _leaves(floats, value)]
    return trees.build(floats, iter([rng.standard_normal(s).astype(trees.DTYPES[e]) for s, (e, _) in zip(shapes, trees.leaves(floats))]))


def _moved(tree, value, direction, step: float):
    """The value, moved so far in a direction."""
    from ._function import without_others

    moves = iter(_leaves(without_others(tree), direction))
    out = []
    for leaf, (elem, _) in zip(_leaves(tree, value), trees.leaves(tree)):
        if trees.is_float(elem):
            dtype = trees.DTYPES[elem]
            out.append((np.asarray(leaf, dtype=dtype) + np.asarray(step * np.asarray(next(moves), dtype=np.float64), dtype=dtype)))
        else:
            out.append(leaf)
    return trees.build(tree, iter(out), value)


def _dot(a, b) -> float:
    return float(sum(np.sum(x * y) for x, y in zip(a, b)))
