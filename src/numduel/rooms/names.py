"""Names for people who need none: an adjective and an animal, chosen by chance."""

from __future__ import annotations

from random import Random

from numduel.players import PERSON
from numduel.wording.players import computer_name

ADJECTIVES = (
    "Amber", "Bold", "Brave", "Bright", "Calm", "Careful", "Cheerful", "Clever", "Cosy",
    "Curious", "Daring", "Dizzy", "Eager", "Early", "Fair", "Fearless", "Friendly", "Gentle",
    "Golden", "Graceful", "Happy", "Honest", "Jolly", "Keen", "Kind", "Lively", "Lucky",
    "Mellow", "Merry", "Mighty", "Modest", "Nimble", "Noble", "Patient", "Playful", "Polite",
    "Proud", "Quick", "Quiet", "Rapid", "Rosy", "Sharp", "Silver", "Sleepy", "Smooth", "Snowy",
    "Steady", "Sunny", "Swift", "Tidy", "Velvet", "Warm", "Wise", "Witty",
)  # fmt: skip
ANIMALS = (
    "Badger", "Beaver", "Bison", "Camel", "Cheetah", "Crane", "Dolphin", "Dove", "Eagle",
    "Falcon", "Ferret", "Finch", "Fox", "Gazelle", "Gecko", "Hare", "Hawk", "Hedgehog", "Heron",
    "Ibis", "Jackdaw", "Kestrel", "Koala", "Lark", "Lemur", "Lynx", "Magpie", "Marten", "Mole",
    "Moose", "Newt", "Ocelot", "Otter", "Owl", "Panda", "Pelican", "Penguin", "Puffin", "Quail",
    "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Squirrel", "Stork", "Swan", "Tapir",
    "Tiger", "Toad", "Turtle", "Walrus", "Wombat", "Wren", "Zebra",
)  # fmt: skip


def two_names(players: tuple[str, str], random: Random) -> tuple[str, str]:
    """The names of the two seats: the computer is called so, and people differ in both words."""
    first, second = random.sample(ADJECTIVES, 2), random.sample(ANIMALS, 2)
    made = [f"{adjective} {animal}" for adjective, animal in zip(first, second, strict=True)]
    named = [
        own if word == PERSON else computer_name(word)
        for word, own in zip(players, made, strict=True)
    ]
    return (named[0], named[1]) if named[0] != named[1] else (f"{named[0]} 1", f"{named[1]} 2")
