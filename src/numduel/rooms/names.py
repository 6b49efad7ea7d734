"""Names of the seats: an adjective and an animal, chosen at random, or a name that was given."""

import re
from random import Random
from unicodedata import category, normalize

from numduel.errors import InvalidSetup
from numduel.match.events import check_names
from numduel.players import PERSON
from numduel.wording.players import ANYBODY, computer_name

LONGEST = 20  # characters of a name that somebody gives
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Letters and accents that show nothing."""
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # only choose how a sign is drawn
_MOST_MARKS = 2  # accents and vowel signs on one letter

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
    """The names of the two seats: of people who meet, both words differ."""
    first, second = random.sample(ADJECTIVES, 2), random.sample(ANIMALS, 2)
    made = [f"{adjective} {animal}" for adjective, animal in zip(first, second, strict=True)]
    if players.count(PERSON) == 1:
        made = [ANYBODY, ANYBODY]
    named = [
        own if word == PERSON else computer_name(word)
        for word, own in zip(players, made, strict=True)
    ]
    return (named[0], named[1]) if named[0] != named[1] else (f"{named[0]} 1", f"{named[1]} 2")


def with_name(names: tuple[str, str], seat: int, wanted: str) -> tuple[str, str]:
    """The names with the wanted one, cleaned, for the seat; the same where nothing is left of it,
    or where it would be taken for the other player's name or for something else than a name.
    """
    name, other = clean_name(wanted), names[1 - seat]
    if alike(name, other):
        return names
    called = (name, other) if seat == 0 else (other, name)
    try:
        check_names(called)
    except InvalidSetup:
        return names
    return called


def clean_name(text: str) -> str:
    """What is shown of a name: letters, digits, single blanks and a few signs, 20 characters.
    Markup, control characters, marks that turn the direction of a line, piles of accents, and a
    first sign by which a spreadsheet would take it for a formula are left out. Empty where no
    letter or digit is left.
    """
    kept, marks = "", 0
    for sign in normalize("NFKC", text[: 10 * LONGEST]):
        kind = category(sign)
        marks = marks + 1 if kind[0] == "M" else 0
        if sign in _UNSEEN or _SELECTORS.match(sign) or marks > _MOST_MARKS:
            continue
        if kind[0] in "LM" or kind == "Nd" or sign in "-'’.":
            kept += sign
        elif sign.isspace():
            kept += " "
    name = " ".join(kept.split()).lstrip("-. ")[:LONGEST].strip()
    return name if any(category(sign)[0] in "LN" for sign in name) else ""


def alike(one: str, other: str) -> bool:
    """Would one name be taken for the other? Not if only a letter or a figure more tells them."""
    return not _looks(one).isdisjoint(_looks(other))


def _looks(name: str) -> set[str]:
    """The name without case, accents and what is easily overlooked; and as it looks at a glance.
    Not all of Unicode's confusable signs: letters of Greek and Cyrillic that look Latin, and the
    few pairs that Latin has itself. Figures in a word also count as letters, as in "Teach3r".
    """
    words = [word if word.isdecimal() else word.translate(_FIGURES) for word in name.split()]
    bare, spelt = _bare(name), _bare("".join(words))
    glance = bare.translate(_LIKE_LATIN).translate(_AT_A_GLANCE).casefold()
    return {bare.casefold(), spelt.casefold(), glance.replace("rn", "m").replace("vv", "w")}


def _bare(name: str) -> str:
    signs = normalize("NFKD", name)
    bare = "".join(one for one in signs if one.isalnum() or category(one) in ("Mc", "Mn"))
    return _ACCENTS.sub("", bare)


_ACCENTS = re.compile("[\u0300-\u036f]")
_LIKE_LATIN = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχıɑɡłøđ",
    "ABEKMHOPCTYXIJSaeopcyxijsdhABEZHIKMNOPTYXaikvopuxiaglod",
)
_AT_A_GLANCE = str.maketrans("I10", "llo")
_FIGURES = str.maketrans("01345", "oieas")
