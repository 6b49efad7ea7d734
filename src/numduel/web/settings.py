"""What a server is started with."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one server, and one client of it, may use. Every limit has a sentence.

    A client is a class with its members, otherwise an address, or for IPv6 a network.
    """

    body: int = 16_384  # bytes of one request's body
    body_seconds: float = 10.0  # seconds within which a body has to arrive
    digits: int = 100  # digits of a number that is played in a room; explored numbers may be longer
    numbers: int = 12  # numbers on a board in a room
    rooms: int = 50_000  # rooms kept at once
    rooms_per_minute: int = 60  # rooms that one client may open; five times as many at one address
    rooms_per_day: int = 1_000  # so that no single client can fill `rooms` in `room_days`
    classes_per_hour: int = 60  # classes that one address may open: a school is often one
    tables_per_hour: int = 6_000  # pupils seated from one address: 20 classes of 40, 7 rounds
    joins_at_once: int = 20  # into one class from one address; after that, one a second
    wrong_codes: int = 60  # codes of no class that one client may try at once
    wrong_codes_per_minute: int = 10  # the same on average
    requests_at_once: int = 8
    """Requests of one address that are worked on at once; more of them wait for their turn. A
    school is as quick as without: the loop and the database work on fewer at a time."""
    work_per_minute: float = 6.0  # seconds of our work until an address waits for others
    thinking_per_minute: int = 30  # seconds of thinkers for one client, a third for one member
    classes_per_client: int = 20  # of one address with their own limits; others share the address's
    sockets: int = 5_000  # live connections at once
    sockets_per_client: int = 300  # a class has two for each of 40 pupils, and as many just ending
    sockets_per_member: int = 20  # of a class, wherever: a browser has one or two for each tab
    sockets_per_address: int = 2_000  # 20 classes of 40 have two for each pupil
    room_days: int = 30  # days after its last change that a room is kept

    @classmethod
    def for_classes(cls, count: int) -> "Limits":
        """With room for so many classes of one address at once, each opened anew now and then."""
        return cls(
            classes_per_client=count,
            classes_per_hour=3 * count,
            tables_per_hour=300 * count,
            sockets=max(5_000, 250 * count),
            sockets_per_address=max(2_000, 100 * count),
        )


@dataclass(frozen=True, slots=True)
class Settings:
    database: str  # a path of an SQLite file, or the address of a PostgreSQL database
    limits: Limits = field(default_factory=Limits)
    thinkers: int = 2  # processes that answer expensive questions
    seconds: float = 5.0  # the most time that one such question gets
    addresses: tuple[str, ...] = ()  # where other machines reach the server; none if they cannot
    names: tuple[str, ...] | None = None  # to answer to besides addresses and localhost; None: any
