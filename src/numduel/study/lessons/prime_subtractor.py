"""Prime Subtractor: its opening differs from Subtract a Prime, and nothing else does."""

from numduel.study.lessons.step import Asks, Step

STEPS = (
    Step(
        "Reach zero",
        "Subtract a prime that is at most the total. Whoever reaches exactly 0 wins. "
        "The match has begun, and the total is 5.",
        "prime-subtractor:5,opening=any",
        Asks.MOVE,
        "5 is a prime.",
        "After the opening, a prime total can be taken away whole.",
    ),
    Step(
        "The opening",
        "A match starts from 5. The first move may not be the starting total: only 2 or 3. "
        "They leave 3 or 2.",
        "prime-subtractor:5",
        Asks.WINNER,
        "3 and 2 are primes, and the second player may take any prime up to the total.",
        "So 5 is a bad start for whoever begins. So are 2, 7 and 19.",
        lost=(2, 5, 7, 19),
    ),
    Step(
        "One is a trap",
        "At 1 there is no prime to take: whoever must move there loses. The total is 6.",
        "prime-subtractor:6,opening=any",
        Asks.MOVE,
        "Leave 1.",
        "Totals to leave: 0 and 1. By the same reasoning, 9 and 10: every move from them "
        "leaves a total that can be finished.",
        lost=(1, 9, 10),
    ),
    Step(
        "Colour the traps",
        "The opening is over. Colour the traps from 1 to 12 gold: the numbers from which "
        "whoever must move loses.",
        "prime-subtractor:12,opening=any",
        Asks.TRAPS,
        "1 is a trap. Primes are not, and neither are numbers from which a prime leaves 1.",
        "1, 9 and 10: leave them, or 0, and you win.",
        lost=(1, 9, 10),
    ),
    Step(
        "The usual start",
        "The usual start is 23, and you begin. Leave 0, 1, 9 or 10.",
        "prime-subtractor:23",
        Asks.MOVE,
        "23 - 10 = 13, and 13 is a prime.",
        "The rulebook's sample match begins with 13 too.",
        won=(23,),
    ),
    Step(
        "Play it",
        "The totals to leave begin 0, 1, 9, 10, 25, 34, 35, 49. The match starts from 44, and "
        "you begin.",
        "prime-subtractor:44",
        Asks.MATCH,
        "44 - 25 = 19. Later leave 10, 9, 1 or 0.",
        "After its opening this is Subtract a Prime.",
        lost=(1, 9, 10, 25, 34, 35, 49),
        won=(44,),
    ),
)
