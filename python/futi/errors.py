"""What is raised. Each has ``place``, a file with line and column, or ``None``."""

from __future__ import annotations


class FutiError(Exception):
    """What is wrong, with its place in the source."""

    def __init__(self, message: str, place: tuple[str, int, int] | None = None):
        super().__init__(message)
        self.place = place


class ProgramError(FutiError):
    """A program that cannot be read or is refused, or has what the backend lacks."""


class ArgumentError(FutiError, ValueError):
    """What a caller asks for is not there, or does not fit."""


class RunError(FutiError, RuntimeError):
    """A program has failed."""


class InternalError(FutiError):
    """A defect of Futi's: please report it."""


class GradientError(FutiError, AssertionError):
    """A derivative is not what differences say."""
