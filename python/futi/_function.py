"""Functions of a model: entry points, their derivatives, and what maps them over arrays."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence

import numpy as np

from . import _trees as trees
from .errors import ArgumentError

# What a function takes behind its arguments' leaves: given all leaves before it, the leaves. Those of no shape are the same whatever is before.
Extra = tuple[Callable[[list], list], bool]

ONE: Extra = (lambda _: [1.0], True)


class Function:
    """A function of a model. Arguments are given in order or by name: NumPy arrays of the type that is wanted, numbers, lists of them, and ``futi.Array``;
    records as dictionaries or dataclasses, tuples as tuples.
    """

    def __init__(self, model, entry: str, steps: list, args: list, extra: list[Extra], out: list[int], result, like=None):
        self._model, self._entry, self._steps = model, entry, steps
        self._args, self._extra, self._out, self._result, self._like = args, extra, out, result, like
        self._raw = model._model.function(entry, steps)
        self._elems = [elem for _, tree in args for elem, _ in trees.leaves(tree)]

    @classmethod
    def _of(cls, model, name: str, params: list, result) -> Function:
        return cls(model, name, [], params, [], list(range(len(trees.leaves(result)))), result)

    def __repr__(self) -> str:
        args = "".join(f" ({name}: {trees.written(tree)})" for name, tree in self._args)
        what = "".join(f"{step[0]} of " for step in reversed(self._steps))
        return f"<futi.Function {what}{self._entry}{args}>"

    @property
    def __name__(self) -> str:
        return self._entry

    # Calls.

    def __call__(self, *args, **named):
        args = self._ordered(args, named)
        results = self._results(self._leaves(args))
        parts = iter([results[i] for i in self._out])
        return trees.build(self._result, parts, self._like(args) if self._like else None)

    def _ordered(self, args: tuple, named: dict) -> tuple:
        names = [name for name, _ in self._args]
        if named:
            rest = names[len(args) :]
            unknown = [name for name in named if name not in rest]
            if unknown:
                raise ArgumentError(f"{self._entry} has no further parameter `{unknown[0]}`: it has {', '.join(names)}")
            args = (*args, *(named[name] for name in rest if name in named))
        if len(args) != len(names):
            raise ArgumentError(f"{self._entry} takes {len(names)} arguments ({', '.join(names)}), not {len(args)}")
        return args

    def _leaves(self, args: tuple) -> list:
        leaves: list = []
        for (name, tree), arg in zip(self._args, args):
            trees.flatten(tree, arg, f"`{name}`", leaves)
        for extra, _ in self._extra:
            leaves.extend(extra(leaves))
        return leaves

    def _results(self, leaves: list) -> list:
        return self._raw.call(leaves) if self._model._device_arrays else self._raw.call_numpy(leaves)

    # What is made of it.

    def _made(self, steps: list, **changed) -> Function:
        parts = {
            "args": self._args, "extra": self._extra, "out": self._out, "result": self._result, "like": self._like, **changed
        }
        return Function(self._model, self._entry, self._steps + steps, **parts)

    def _numbers(self, argnums) -> tuple[int, ...]:
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        numbers = tuple(i + len(self._args) if i < 0 else i for i in numbers)
        if not numbers or any(not 0 <= i < len(self._args) for i in numbers):
            raise ArgumentError(f"{self._entry} has {len(self._args)} parameters; those of numbers {argnums} are asked for")
        return numbers

    def _positions(self, number: int) -> list[int]:
        """The leaves of a parameter."""
        before = sum(len(trees.leaves(tree)) for _, tree in self._args[:number])
        return list(range(before, before + len(trees.leaves(self._args[number][1]))))

    def _floats(self, numbers: Iterable[int]) -> list[int]:
        """The leaves of parameters that are floats."""
        floats = [i for number in numbers for i in self._positions(number) if trees.is_float(self._elems[i])]
        if not floats:
            names = ", ".join(f"`{self._args[i][0]}`" for i in numbers)
            raise ArgumentError(f"{names} of {self._entry} has no floats to differentiate with respect to")
        return floats

    def _float_results(self) -> list[int]:
        """The results that are floats, as positions in what the model gives."""
        elems = [elem for elem, _ in trees.leaves(self._result)]
        return [place for place, elem in zip(self._out, elems) if trees.is_float(elem)]

    def _sizes(self) -> list[Extra]:
        """The sizes that only a run tells, as a derivative takes them."""
        places = self._raw.size_places()

        def sizes(leaves: list) -> list:
            results = self._raw.call(leaves)
            return [results[leaf].shape[dim] for leaf, dim in places]

        return [(sizes, False)] if places else []

    def value_and_grad(self, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
        """What gives the value, and the gradient, of a function whose result is a float."""
        value = self._result
        if has_aux:
            if value[0] != "tuple" or len(value[1]) != 2:
                raise ArgumentError(f"{self._entry} gives {trees.written(value)}: a value and something else are wanted")
            value = value[1][0]
        if value[0] != "leaf" or value[2] != 0 or not trees.is_float(value[1]):
            raise ArgumentError(f"{self._entry} gives {trees.written(value)}, which is no float: `jacobian` differentiates that")
        numbers = self._numbers(argnums)
        of = self._floats(numbers)
        grads = [without_others(self._args[i][1]) for i in numbers]
        grad = grads[0] if isinstance(argnums, int) else ("tuple", grads)
        out = range(len(self._out) + len(of))
        step = ("vjp", of, self._out[:1], self._out[1:])
        alike = (lambda args: args[numbers[0]]) if isinstance(argnums, int) else (lambda args: tuple(args[i] for i in numbers))
        return self._made(
            [step],
            extra=[*self._extra, *self._sizes(), ONE],
            out=list(out),
            result=("tuple", [self._result, grad]),
            like=lambda args: (None, alike(args)),
        )

    def grad(self, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
        """The gradient of a function whose result is a float."""
        both = self.value_and_grad(argnums, has_aux)
        _, (value, grad) = both._result
        count = len(self._out)
        value_like = both._like
        if has_aux:
            return both._made(
                [],
                out=[*range(count, len(both._out)), *range(1, count)],
                result=("tuple", [grad, value[1][1]]),
                like=lambda args: (value_like(args)[1], None),
            )
        return both._made([], out=list(range(count, len(both._out))), result=grad, like=lambda args: value_like(args)[1])

    def jvp(self, primals: Sequence, tangents: Sequence) -> tuple[Any, Any]:
        """The value, and its derivative in the direction of the tangents."""
        primals, tangents = self._ordered(tuple(primals), {}), self._ordered(tuple(tangents), {})
        of = self._floats(range(len(self._args)))
        floats = self._float_results()
        others = [i for i in self._out if i not in floats]
        pushed = self._made([("jvp", of, floats, others)])
        leaves = self._leaves(primals)
        for sizes, _ in self._sizes():
            leaves.extend(sizes(leaves))
        directions: list = []
        for (name, tree), tangent in zip(self._args, tangents):
            trees.flatten(without_others(tree), tangent, f"the tangent of `{name}`", directions)
        results = pushed._results(leaves + directions)
        given = dict(zip(floats + others, results))
        value = trees.build(self._result, iter([given[i] for i in self._out]))
        return value, trees.build(without_others(self._result), iter(results[len(given) :]))

    def vjp(self, *primals) -> tuple[Any, Callable]:
        """The value, and the function from its cotangent to those of the primals, of which each call runs the function once more."""
        primals = self._ordered(primals, {})
        of = self._floats(range(len(self._args)))
        floats = self._float_results()
        pulled = self._made([("vjp", of, floats, [])])
        result = without_others(self._result)

        def pullback(cotangent) -> tuple:
            leaves = self._leaves(primals)
            for sizes, _ in self._sizes():
                leaves.extend(sizes(leaves))
            trees.flatten(result, cotangent, "the cotangent", leaves)
            adjoints = iter(pulled._results(leaves)[len(floats) :])
            return tuple(trees.build(without_others(t), adjoints, p) for (_, t), p in zip(self._args, primals))

        return self(*primals), pullback

    def jacobian(self, argnums: int | Sequence[int] = 0, mode: str = "reverse") -> Callable:
        """All partial derivatives: of each array of the result, with respect to each of the argument."""
        if mode not in ("reverse", "forward"):
            raise ArgumentError(f'mode is "reverse" or "forward", not {mode!r}')
        numbers = self._numbers(argnums)
        of, floats = self._floats(numbers), self._float_results()
        if not floats:
            raise ArgumentError(f"{self._entry} gives {trees.written(self._result)}, which has no floats to differentiate")
        parts = [without_others(self._args[i][1]) for i in numbers]
        inner = parts[0] if isinstance(argnums, int) else ("tuple", parts)
        by_result = self._rows(of, floats) if mode == "reverse" else self._columns(of, floats)

        def jacobian(*args, **named):
            args = self._ordered(args, named)
            blocks = by_result(self._leaves(args))
            outer = trees.each(without_others(self._result), lambda leaf: leaf)
            rows = iter([trees.build(inner, iter(row)) for row in blocks])
            return trees.build(outer, rows)

        return jacobian

    def _rows(self, of: list[int], floats: list[int]):
        """Blocks by result and argument, each result in all directions at once."""
        pulled = [self._made([("vjps", of, [i], [])]) for i in floats]

        def blocks(leaves: list) -> list:
            values = self._raw.call(leaves)
            sizes = [n for extra, _ in self._sizes() for n in extra(leaves)]
            rows = []
            for f, place in zip(pulled, floats):
                shape = values[place].shape
                seeds = basis(shape, values[place].dtype)
                adjoints = f._raw.call([*leaves, *sizes, seeds])[1:]
                rows.append([x.numpy().reshape(shape + x.shape[1:]) for x in adjoints])
            return rows

        return blocks

    def _columns(self, of: list[int], floats: list[int]):
        """The same, each argument in all directions at once."""
        pushed = [self._made([("jvps", [i], floats, [])]) for i in of]

        def blocks(leaves: list) -> list:
            sizes = [n for extra, _ in self._sizes() for n in extra(leaves)]
            columns = []
            for f, place in zip(pushed, of):
                shape = np.shape(leaves[place])
                seeds = basis(shape, trees.DTYPES[self._elems[place]])
                tangents = f._raw.call([*leaves, *sizes, seeds])[len(floats) :]
                columns.append([np.moveaxis(x.numpy(), 0, -1).reshape(x.shape[1:] + shape) for x in tangents])
            return [list(row) for row in zip(*columns)]

        return blocks

    def hessian(self, argnums: int | Sequence[int] = 0) -> Callable:
        """The second partial derivatives: the Jacobian of the gradient, which is reverse mode under forward mode."""
        return self.grad(argnums).jacobian(argnums, "forward")

    def vmap(self, in_axes: int | None | Sequence[int | None] = 0) -> Callable:
        """The function at all elements of arrays."""
        axes = tuple(in_axes) if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(self._args)
        if len(axes) != len(self._args) or any(axis not in (0, None) for axis in axes) or all(axis is None for axis in axes):
            raise ArgumentError(f"in_axes has 0 or None for each of {len(self._args)} parameters, and 0 for one at least")
        over = [i for number, axis in enumerate(axes) if axis == 0 for i in self._positions(number)]
        if not all(constant for _, constant in self._extra):
            return self._one_by_one(axes)
        try:
            args = [(name, trees.mapped(t) if axis == 0 else t) for (name, t), axis in zip(self._args, axes)]
            return self._made([("map", over, [], [])], args=args, result=trees.mapped(self._result), like=None)
        except ArgumentError:
            return self._one_by_one(axes)

    def _one_by_one(self, axes: tuple):
        """What cannot be told to give the same sizes at each element is called for each."""

        def mapped(*args, **named):
            args = self._ordered(args, named)
            columns = []
            for (name, tree), axis, arg in zip(self._args, axes, args):
                leaves: list = []
                trees.flatten(trees.mapped(tree) if axis == 0 else tree, arg, f"`{name}`", leaves)
                columns.append((tree, axis, [np.asarray(x) for x in leaves] if axis == 0 else leaves))
            counts = {len(x) for _, axis, leaves in columns if axis == 0 for x in leaves}
            if len(counts) != 1:
                raise ArgumentError(f"the arguments of {self._entry} have {sorted(counts)} elements: as many are wanted")
            rows = []
            for i in range(counts.pop()):
                at = lambda axis, x: x[i] if axis == 0 else x
                row = self(*(trees.build(tree, (at(axis, x) for x in leaves)) for tree, axis, leaves in columns))
                leaves = []
                trees.flatten(self._result, row, "a result", leaves)
                rows.append([np.asarray(x) for x in leaves])
            shapes = {tuple(x.shape for x in row) for row in rows}
            if len(shapes) != 1:
                raise ArgumentError(f"the results of {self._entry} have {len(shapes)} different shapes: no array has them")
            return trees.build(trees.mapped(self._result), (np.stack(x) for x in zip(*rows)))

        return mapped


def without_others(tree):
    """The type with ``None`` for what is no float."""
    return trees.each(tree, lambda leaf: leaf if leaf[0] == "leaf" and trees.is_float(leaf[1]) else ("none",))


def basis(shape: tuple[int, ...], dtype) -> np.ndarray:
    """All directions of arrays of this shape: the first dimension counts them."""
    n = int(np.prod(shape, dtype=np.int64))
    return np.eye(n, dtype=dtype).reshape((n, *shape))
