"""What a call raises, for tests that say what cannot be."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from numduel import NumduelError
from numduel.errors import ClaimFails

E = TypeVar("E", bound=BaseException)


def raised(
    kind: type[E] | tuple[type[E], ...],
    call: Callable[..., object],
    /,
    *given: Any,
    match: str | None = None,
    **named: Any,
) -> E:
    """The error that the call raises, of this kind. One of numduel's own is worded, but for a
    number that fails: which claim it is of is known further up."""
    with pytest.raises(kind, match=match) as caught:
        call(*given, **named)
    if isinstance(caught.value, NumduelError) and not isinstance(caught.value, ClaimFails):
        assert str(caught.value).endswith((".", "?")), repr(caught.value)
    return caught.value
