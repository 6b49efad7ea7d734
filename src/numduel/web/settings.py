"""What a server is started with."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one server, and one client of it, may use. Every limit has a sentence.

    A client is a class with its members, otherwise an address, or for IPv6 a network.
    """

    body: int = 16_384
    """Bytes of one request's body."""
    body_seconds: float = 10.0
    """Seconds within which a body has to arrive."""
    digits: int = 100
    """Digits of a number that is played in a room; explored numbers may be longer."""
    numbers: int = 12
    """Numbers on a board in a room."""
    rooms: int = 50_000
    """Rooms kept at once."""
    rooms_per_minute: int = 60
    """Rooms that one client may open."""
    rooms_per_day: int = 1_000
    """The same for a whole day, so that no single client can fill `rooms` in `room_days`."""
    classes_per_hour: int = 60
    """Classes that one address may open: a school is often one."""
    tables_per_hour: int = 6_000
    """Pupils whom the classes of one address may seat: 20 classes of 40, in seven rounds."""
    joins_at_once: int = 20
    """Pupils who may join one class at once from one address; after that, one a second."""
    wrong_codes: int = 60
    """Codes of no class that one client may try at once."""
    wrong_codes_per_minute: int = 10
    """The same on average."""
    requests_at_once: int = 8
    """Requests of one address that are worked on at once; more of them wait for their turn. A
    school is as quick as without: the loop and the database work on fewer at a time."""
    work_per_minute: float = 6.0
    """Seconds of this server's own work that one address may take before it waits for others."""
    thinking_per_minute: int = 30
    """Seconds that thinkers may work for one client."""
    classes_per_client: int = 20
    """Classes of one address whose limits are their own; the others share the address's."""
    sockets: int = 5_000
    """Live connections at once."""
    sockets_per_client: int = 300
    """Live connections of one client: a class has two for each of 40 pupils, and as many that end
    just now."""
    sockets_per_address: int = 2_000
    """Live connections of one address: 20 classes of 40 have two for each pupil."""
    room_days: int = 30
    """Days after its last change that a room is kept."""

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
    database: str
    """A path of an SQLite file, or the address of a PostgreSQL database."""
    limits: Limits = field(default_factory=Limits)
    thinkers: int = 2
    """Processes that answer expensive questions."""
    seconds: float = 5.0
    """The most time that one such question gets."""
    addresses: tuple[str, ...] = ()
    """Where other machines reach the server; none if it is for this one alone."""
    names: tuple[str, ...] | None = None
    """The names that the server answers to, besides addresses and localhost; None for any."""
