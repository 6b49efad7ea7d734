"""Discuss: one position on all tablets, and on the projector what the class makes of it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from numduel.classes import Stage
from numduel.web.pages.class_page import page_of
from numduel.web.pages.class_question import question_of
from numduel.web.pages.class_round_form import RoundForm, games
from numduel.web.pages.class_wall import wall_for
from numduel.web.pages.rendering import page
from numduel.web.state import thinkers_of

router = APIRouter(include_in_schema=False)


@router.get("/class/{code}/discuss")
async def discuss_page(request: Request, code: str) -> Response:
    """The question that is asked, and a form for another."""
    wall = await wall_for(request, code, boards=False)
    if isinstance(wall, Response):
        return wall
    school_class = wall.school_class
    asked = school_class.question if school_class.stage is Stage.QUESTION else None
    question = None
    if asked is not None:
        question = await question_of(asked, school_class.votes, thinkers_of(request))
    last = school_class.round
    return page(
        request,
        "class_discuss.html",
        shown=page_of(request, school_class, wall.version),
        wrong="",
        question=question,
        pupils=school_class.pupils,
        form=RoundForm.after(last.plan) if last else RoundForm(),
        games=games(),
    )
