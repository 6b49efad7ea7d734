"""Divisor Duel: leave an odd number; powers of two are the exception."""

from numduel.study.lessons.step import Asks, Step

STEPS = (
    Step(
        "No divisor left",
        "Subtract a divisor of the number, but neither 1 nor the number itself. Whoever cannot "
        "move loses: a prime number has no such divisor.",
        "divisor-duel:6",
        Asks.MOVE,
        "Leave a prime: there is no move from it.",
        "3 leaves 3, and that is a prime. After 2, the reply 2 would have left you the prime 2.",
        lost=(2, 3),
        won=(6, 4),
    ),
    Step(
        "Odd numbers",
        "From 9 there is one move: 3, which leaves 6.",
        "divisor-duel:9",
        Asks.WINNER,
        "You have just won from 6.",
        "An odd number has only odd divisors. Odd minus odd is even: so whoever faces an odd "
        "number always hands over an even one.",
        lost=(9,),
        won=(6,),
    ),
    Step(
        "Make it odd",
        "An even number with an odd divisor (other than 1) can be made odd: subtract that divisor.",
        "divisor-duel:28",
        Asks.MOVE,
        "7 is an odd divisor of 28.",
        "The other player faces an odd number, hands you an even one, and so on until the odd "
        "number is a prime. Odd numbers are traps.",
        lost=(21, 3, 5, 7, 9, 15),
        won=(28,),
    ),
    Step(
        "Powers of two",
        "2, 4, 8, 16 and 32 have no odd divisor but 1, so look closer: "
        "2 is a trap, 4 wins by leaving 2, and 8 is a trap again.",
        "divisor-duel:16",
        Asks.MOVE,
        "Halve it: leave 8.",
        "Of the powers of two, 2, 8 and 32 are traps. 4, 16 and 64 are won by halving.",
        lost=(2, 8, 32),
        won=(4, 16, 64),
    ),
    Step(
        "Colour the traps",
        "Colour the traps from 1 to 16 gold: odd numbers, and some powers of two.",
        "divisor-duel:16",
        Asks.TRAPS,
        "1 has no divisor to take, and counts as odd. Of 2, 4, 8 and 16, take every other one.",
        "Half of all numbers are traps, so look before you leave one.",
        lost=(1, 2, 3, 5, 7, 8, 9, 11, 13, 15),
    ),
    Step(
        "Play it",
        "The usual start is 60, and you begin. Leave an odd number each time.",
        "divisor-duel:60",
        Asks.MATCH,
        "Subtract an odd divisor.",
        "Odd numbers are traps, and so are 2, 8, 32, ...; everything else can be won.",
        lost=(2, 8, 32, 45, 57, 55),
        won=(60,),
    ),
)
