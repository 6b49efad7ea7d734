"""What a server keeps of people, and until when, on a page that a school can print."""

from datetime import timedelta

from fastapi import Request
from fastapi.responses import HTMLResponse

from numduel.classes.kept_classes import CLASS_KEPT
from numduel.rooms.room import UNUSED
from numduel.web.pages.rendering import page, router
from numduel.web.state import COOKIE, SECONDS, limits_of


@router.get("/privacy")
async def privacy_page(request: Request) -> HTMLResponse:
    return page(
        request,
        "privacy.html",
        room_days=limits_of(request).room_days,
        unused_hours=UNUSED // timedelta(hours=1),
        class_hours=CLASS_KEPT // timedelta(hours=1),
        cookie=COOKIE,
        cookie_days=SECONDS // 86400,
    )
