"""Values of Futi's types as Python has them: records are dictionaries, dataclasses, or anything with such attributes; tuples are tuples.

A type is what ``_futi.Model.signature`` gives: ``("leaf", elem, rank, sizes)``, ``("tuple", [type, ..])``, ``("record", [(name, type), ..])``,
``("opaque", name, elems, ranks)``; and ``("none",)`` where a derivative has nothing. The unit, a tuple of nothing, has one leaf, ``False``.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterator

from .errors import ArgumentError

DTYPES = {
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
    "bool": "bool",
}


class Opaque:
    """A value whose structure its program hides, or of a sum type: to be given back to the program."""

    def __init__(self, name: str, leaves: list):
        self._name, self._leaves = name, leaves

    def __repr__(self) -> str:
        return f"<futi.Opaque {self._name}>"


def leaves(tree) -> list[tuple[str, int]]:
    """Element type and rank of each leaf, in order."""
    kind = tree[0]
    if kind == "leaf":
        return [(tree[1], tree[2])]
    if kind == "opaque":
        return list(zip(tree[2], tree[3]))
    if kind == "none":
        return []
    parts = [t for _, t in tree[1]] if kind == "record" else tree[1]
    return [leaf for part in parts for leaf in leaves(part)] if parts else [("bool", 0)]


def written(tree) -> str:
    """The type as a program writes it."""
    kind = tree[0]
    if kind == "leaf":
        return "".join(f"[{n}]" for n in tree[3]) + tree[1]
    if kind == "opaque":
        return tree[1]
    if kind == "none":
        return "nothing"
    if kind == "record":
        return "{" + ", ".join(f"{name}: {written(t)}" for name, t in tree[1]) + "}"
    return "(" + ", ".join(map(written, tree[1])) + ")"


def flatten(tree, value, where: str, out: list) -> None:
    """Adds the leaves of a value of this type to ``out``."""
    kind = tree[0]
    if kind == "leaf":
        out.append(value)
    elif kind == "none":
        pass
    elif kind == "opaque":
        if not isinstance(value, Opaque) or len(value._leaves) != len(tree[2]):
            raise ArgumentError(f"{where} is {_kind(value)}; a value of type {tree[1]} that a program has made is wanted")
        out.extend(value._leaves)
    elif kind == "record":
        for name, part in tree[1]:
            flatten(part, _field(value, name, tree, where), f"{where}.{name}", out)
    elif not tree[1]:
        out.append(False)
    else:
        if not isinstance(value, (tuple, list)) or len(value) != len(tree[1]):
            raise ArgumentError(f"{where} is {_kind(value)}; a tuple {written(tree)} is wanted")
        for i, (part, x) in enumerate(zip(tree[1], value)):
            flatten(part, x, f"{where}.{i}", out)


def _field(value, name: str, tree, where: str):
    try:
        return value[name] if isinstance(value, dict) else getattr(value, name)
    except (KeyError, AttributeError):
        raise ArgumentError(f"{where} is {_kind(value)} without `{name}`; a record {written(tree)} is wanted") from None


def _kind(value) -> str:
    return f"of type {type(value).__name__}"


def build(tree, parts: Iterator, like=None):
    """The value of this type that leaves make up. A record is a dictionary, or where ``like`` is a dataclass, one of that class."""
    kind = tree[0]
    if kind == "leaf":
        return next(parts)
    if kind == "none":
        return None
    if kind == "opaque":
        return Opaque(tree[1], [next(parts) for _ in tree[2]])
    if kind == "record":
        fields = {name: build(t, parts, _part(like, name)) for name, t in tree[1]}
        if dataclasses.is_dataclass(like) and not isinstance(like, type):
            return dataclasses.replace(like, **fields)
        return fields
    if not tree[1]:
        next(parts)
        return ()
    made = [build(t, parts, _part(like, i)) for i, t in enumerate(tree[1])]
    # a named tuple
    return type(like)(*made) if isinstance(like, tuple) and hasattr(like, "_fields") else tuple(made)


def _part(like, key):
    if like is None:
        return None
    if isinstance(key, int):
        return like[key] if isinstance(like, (tuple, list)) and key < len(like) else None
    return like.get(key) if isinstance(like, dict) else getattr(like, key, None)


def mapped(tree, size: str = ""):
    """The type of arrays of such values, as a structure of arrays."""
    kind = tree[0]
    if kind == "leaf":
        return ("leaf", tree[1], tree[2] + 1, [size, *tree[3]])
    if kind == "opaque":
        return ("opaque", f"[{size}]{tree[1]}", tree[2], [rank + 1 for rank in tree[3]])
    if kind == "none":
        return tree
    if kind == "record":
        return ("record", [(name, mapped(t, size)) for name, t in tree[1]])
    return ("tuple", [mapped(t, size) for t in tree[1]])


def each(tree, f: Callable[[tuple], Any]):
    """The type with what ``f`` makes of each leaf, and of the unit."""
    kind = tree[0]
    if kind == "record":
        return ("record", [(name, each(t, f)) for name, t in tree[1]])
    if kind == "tuple" and tree[1]:
        return ("tuple", [each(t, f) for t in tree[1]])
    return f(tree)


def is_float(elem: str) -> bool:
    """Whether it is the name of a type of floats."""
    return elem.startswith("f")
