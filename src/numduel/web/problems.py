"""Which status an error is answered with. The sentence comes from `numduel.wording`."""

from __future__ import annotations

from numduel import errors

_STATUS: dict[type[errors.NumduelError], int] = {
    errors.NotSeated: 403,
    errors.UnknownRoom: 404,
    errors.UnknownMatch: 404,
    errors.SeatsTaken: 409,
    errors.NotYourTurn: 409,
    errors.StaleMove: 409,
    errors.NotAllowed: 409,
    errors.MatchOver: 409,
    errors.NothingToUndo: 409,
    errors.TooManyRequests: 429,
    errors.TooManyRooms: 503,
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
