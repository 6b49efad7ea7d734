"""Subtract a Prime: leave 0, 1, 9, 10, and know why no short rule goes further."""

from numduel.study.lessons.step import Asks, Step

STEPS = (
    Step(
        "Reach zero",
        "Subtract a prime number. Whoever reaches exactly 0 wins.",
        "subtract-a-prime:7",
        Asks.MOVE,
        "7 is itself a prime.",
        "A prime number can be taken away whole: whoever faces one wins at once.",
        won=(2, 3, 5, 7),
    ),
    Step(
        "One is a trap",
        "At 1 there is no prime to take, so whoever must move there loses. "
        "6 is not a prime, but from it you can leave a trap.",
        "subtract-a-prime:6",
        Asks.MOVE,
        "Leave 1.",
        "Now you know two numbers to leave: 0 and 1.",
        lost=(0, 1),
        won=(6,),
    ),
    Step(
        "A new trap",
        "From 9 you can leave 7, 6, 4 or 2. Look at each: can the other player win from it?",
        "subtract-a-prime:9",
        Asks.WINNER,
        "7 and 2 are primes. 6 leaves 1 by taking 5, and 4 leaves 1 by taking 3.",
        "Every move from 9 hands over a win. So 9 is a trap.",
        lost=(9, 10),
        won=(7, 6, 4, 2),
    ),
    Step(
        "Colour the traps",
        "Colour the traps from 1 to 12 gold: the numbers from which whoever must move loses. "
        "0 is one too.",
        "subtract-a-prime:12",
        Asks.TRAPS,
        "A number is not a trap if a prime takes you from it to a trap: 0, 1 or 9.",
        "1, 9 and 10. A trap is a number from which no move leads to a trap.",
        lost=(1, 9, 10),
    ),
    Step(
        "Leave a trap",
        "The numbers to leave are 0, 1, 9 and 10. The usual start is 20.",
        "subtract-a-prime:20",
        Asks.MOVE,
        "20 - 9 = 11, and 20 - 1 = 19.",
        "To win, leave a trap. To find the next one, look for a number from which no prime "
        "leads to a trap: it is 25.",
        lost=(0, 1, 9, 10, 25),
        won=(20,),
    ),
    Step(
        "Play it",
        "The traps begin 0, 1, 9, 10, 25, 34, 35, 49. No short rule for them is known. "
        "You begin. Leave a trap each time.",
        "subtract-a-prime:32",
        Asks.MATCH,
        "Leave 25, 10, 9, 1 or 0, whichever is a prime away.",
        "That is the whole game: know the traps, and always leave one.",
        lost=(0, 1, 9, 10, 25, 34, 35, 49),
        won=(32,),
    ),
)
