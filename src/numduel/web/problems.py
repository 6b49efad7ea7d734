"""Which status an error is answered with. The sentence is `numduel.wording`'s."""

from __future__ import annotations

from numduel import errors

_STATUS: dict[type[errors.NumduelError], int] = {
    errors.NotSeated: 403,
    errors.UnknownRoom: 404,
    errors.UnknownClass: 404,
    errors.UnknownMatch: 404,
    errors.NotAllowed: 409,
    errors.TooManyRequests: 429,
    errors.TooBusy: 503,
    errors.TookTooLong: 503,
    errors.StoreError: 503,
}
_UNREADABLE = 422


def status_of(error: errors.NumduelError) -> int:
    """The HTTP status of the error; what is not named here is input that cannot be used."""
    for kind in type(error).__mro__:
        if kind in _STATUS:
            return _STATUS[kind]
    return _UNREADABLE
