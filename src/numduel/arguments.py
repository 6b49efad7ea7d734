"""Public functions look at what they are given, and say in a sentence what is wrong with it."""

from collections.abc import Callable, Collection, Mapping
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from numduel.errors import InvalidArgument, InvalidSetup

P = ParamSpec("P")
T = TypeVar("T")
_hints = cache(get_type_hints)
"""The annotations of a function that is checked: their number is that of such functions."""


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """The function, refusing what is of another type than its parameters' annotations say.

    Lists, tuples and sets are looked through, and so are dicts; what comes one by one is not.
    Raises `InvalidArgument`, which is a `TypeError`, too.
    """
    code: Any = function.__code__
    names = code.co_varnames[: code.co_argcount]

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> T:
        hints = _hints(function)
        for name, value in (*zip(names, given, strict=False), *named.items()):
            check(name, value, hints.get(name, Any))
        return function(*given, **named)

    return call


def check(name: str, value: object, hint: Any) -> None:
    """Raise `InvalidArgument` unless the value is of the type."""
    if type(hint) is type and isinstance(value, hint):
        return  # as nearly always
    if not _fits(value, hint):
        raise InvalidArgument(name=name, value=_shown(value), expected=tuple(_words(hint)))


def check_count(name: str, value: int, limit: int) -> None:
    """Raise `InvalidArgument` for what is no integer, `InvalidSetup` unless it is 1 to `limit`."""
    check(name, value, int)
    if not 1 <= value <= limit:
        raise InvalidSetup(problem="how many", name=name, value=value, limit=limit)


def _fits(value: Any, hint: Any) -> bool:
    kind, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if kind is Literal:
        return isinstance(value, str) and value in inner
    if kind is type:
        return isinstance(value, type) and issubclass(value, inner[0])
    if isinstance(kind, type):  # a collection of something, or a function
        if not isinstance(value, kind) or isinstance(value, str | bytes):
            return False
        if isinstance(value, Mapping) and len(inner) == 2:
            return all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
        if isinstance(value, tuple) and kind is tuple and ... not in inner:
            return len(value) == len(inner) and all(map(_fits, value, inner))
        return not isinstance(value, Collection) or all(_fits(one, inner[0]) for one in value)
    if hint in (int, float):
        able = "__index__" if hint is int else "__float__"
        return hasattr(value, able) and not isinstance(value, type)
    if not isinstance(hint, type) or getattr(hint, "_is_protocol", False):
        return True  # what has to have certain methods is asked for them where they are used
    return isinstance(value, hint)


def _words(hint: Any) -> list[str]:
    """What fits, as names of types, or as the very words."""
    if get_origin(hint) in (Union, UnionType):
        return [word for one in get_args(hint) for word in _words(one)]
    if get_origin(hint) is Literal:
        return [f'"{word}"' for word in get_args(hint)]
    return ["None" if hint is NoneType else getattr(hint, "__name__", str(hint))]


def _shown(value: object) -> str:
    try:
        return repr(value)[:60]
    except Exception:  # its own repr is broken
        return type(value).__name__
