"""Digit Subtraction Duel: leave a multiple of ten."""

from numduel.study.lessons.step import Asks, Step

STEPS = (
    Step(
        "Reach zero",
        "Subtract one of the number's digits, but not a 0. Whoever reaches 0 wins.",
        "digit-subtraction-duel:8",
        Asks.MOVE,
        "8 has one digit.",
        "From 1 to 9, whoever must move wins at once.",
        won=(1, 2, 3, 4, 5, 6, 7, 8, 9),
    ),
    Step(
        "Ten",
        "10 has one digit that can be taken: 1. That leaves 9.",
        "digit-subtraction-duel:10",
        Asks.WINNER,
        "Who moves at 9?",
        "So 10 is a trap: whoever must move there loses.",
        lost=(10,),
    ),
    Step(
        "Leave ten",
        "10 is a trap. Leave it to the other player.",
        "digit-subtraction-duel:14",
        Asks.MOVE,
        "Take the last digit.",
        "From 11 to 19 the last digit leads to 10.",
        lost=(10,),
        won=(11, 12, 13, 14, 15, 16, 17, 18, 19),
    ),
    Step(
        "Twenty",
        "From 20 only 2 can be taken, which leaves 18. The last digit of 18 leaves 10.",
        "digit-subtraction-duel:20",
        Asks.WINNER,
        "Who is left with 10?",
        "No digit takes a multiple of ten to another one, and the last digit of what is left "
        "leads to one again. So all multiples of ten are traps.",
        lost=(10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
    ),
    Step(
        "Colour the traps",
        "Colour the traps from 1 to 30 gold: the numbers from which whoever must move loses.",
        "digit-subtraction-duel:30",
        Asks.TRAPS,
        "From 1 to 9 whoever must move wins at once. Continue from 10.",
        "The traps are in one column: 10, 20, 30, and so on.",
        lost=(10, 20, 30),
    ),
    Step(
        "Play it",
        "The start is 34, and you begin. Leave a multiple of ten each time.",
        "digit-subtraction-duel:34",
        Asks.MATCH,
        "Take the last digit, whatever happens.",
        "Always take the last digit: that is all there is to it, for numbers of any size.",
        lost=(30, 20, 10),
        won=(34,),
    ),
)
