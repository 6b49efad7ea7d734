"""`numduel serve`: the games in browsers."""

import errno
import os
import socket
import sys
import webbrowser
from threading import Thread

import click

from numduel.cli import options
from numduel.cli.layout import shows_all_signs, styled
from numduel.errors import StoreError
from numduel.extras import require
from numduel.program import typed
from numduel.store.place import data_file, is_postgres
from numduel.wording import quoted

PACKAGES = ("fastapi", "jinja2", "uvicorn", "websockets", "segno")
FILE_NAME = "rooms.sqlite3"

EXAMPLES = """\b
Examples:
  numduel serve                               for this machine, at port 8000
  numduel serve --host 0.0.0.0                for all on your network, with a QR code
  numduel serve --name play.example.org       behind a proxy of that name
  numduel serve --database postgresql://numduel@localhost/numduel --workers 4
"""


@click.command("serve", epilog=EXAMPLES)
@options.text(
    "--host", "HOST", "Listen on this address of the machine; 0.0.0.0 means all of them.",
    default="127.0.0.1",
)  # fmt: skip
@options.number(
    "--port", "PORT", "Listen on this port; 0 picks a free one.", least=0, most=65_535, default=8000
)
@options.text(
    "--database",
    "URL",
    "Keep the rooms in this SQLite file or PostgreSQL database, not in the default file.",
)
@options.number(
    "--workers", "N", "Processes to serve from; more than one needs PostgreSQL.", most=64, default=1
)
@options.text(
    "--name", "NAME",
    "Also answer to this name, for a server behind a proxy. Can be given several times. "
    "Without --name, a server for this machine alone answers only to its addresses and "
    "localhost, and a server on a network answers to any name.",
    "names", multiple=True,
)  # fmt: skip
@options.number(
    "--classes", "N", "Classes that one address may hold at once; a school is often one address.",
    most=1_000, default=20,
)  # fmt: skip
@options.flag("--open", "Open it in your browser, if there is one.", "opens")
def command(
    host: str, port: int, database: str | None, workers: int, names: tuple[str, ...],
    classes: int, opens: bool,
) -> None:  # fmt: skip
    """Serve the games to browsers.

    Whoever opens the address can play at once; two people meet by a link. Nobody
    needs an account; the page /privacy says what is kept, and until when. Ctrl-C
    stops the server; the rooms are there again when it restarts. The exit code is 0
    when it was stopped, 1 when it could not start or had to stop.
    """
    require("web", *PACKAGES)
    place = data_file(FILE_NAME) if database is None else database
    if workers > 1 and not is_postgres(place):
        raise click.UsageError(
            "Several workers need a PostgreSQL database between them. Name one with"
            " --database postgresql://USER@HOST/DATABASE, or leave out --workers."
        )
    with _listen(host, port) as listening:
        # Imported late, so that errors in host and port are reported at once.
        from numduel.web import serving
        from numduel.web.addresses import is_for_this_machine, own_address, shared_addresses
        from numduel.web.app import failure
        from numduel.web.settings import Limits, Settings

        # Asked before uvicorn takes the socket over.
        own, shared = own_address(listening), shared_addresses(listening)

        def show() -> None:
            _show(own, shared)
            if opens and _has_browser():
                Thread(target=webbrowser.open, args=[own], daemon=True).start()

        any_name = not names and not is_for_this_machine(listening)
        known = None if any_name else tuple(map(str.lower, names))
        settings = Settings(
            place, Limits.for_classes(classes), addresses=tuple(shared), names=known
        )
        try:
            serving.check_database(place)
            fine = serving.serve(settings, listening, workers, show)
        except StoreError as error:
            raise click.ClickException(failure(error)) from error
        if not fine:
            raise click.ClickException("The server did not start, or had to stop.")


def _listen(host: str, port: int) -> socket.socket:
    from numduel.web.addresses import listen

    no_host = click.UsageError(
        f"{quoted(host, 60)} is not an address of this machine. Leave out --host to serve this"
        " machine alone, or use --host 0.0.0.0 for the whole network."
    )
    try:
        return listen(host, port)
    except (socket.gaierror, UnicodeError) as error:
        raise no_host from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise no_host from error
        said = f"Port {port} of {host} cannot be used: {error.strerror}."
        if error.errno == errno.EADDRINUSE:
            said = f"Another program is using port {port} of {host}."
        said += f" This picks a free one: {typed('serve --port 0')}"
        raise click.ClickException(said) from error


def _has_browser() -> bool:
    """Is there a browser with windows? One in the terminal would hide what the server says."""
    named = map(os.environ.get, ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))
    return sys.platform in ("darwin", "win32") or any(named)


def _show(own: str, shared: list[str]) -> None:
    click.echo(f"numduel is at {own}")
    others = [address for address in shared if address != own]
    if others:
        click.echo(f"On other devices on this network: {' or '.join(others)}")
    if shared and shows_all_signs():
        from numduel.web.pages.rendering import qr_text

        # Phones read dark on light: said plainly, whatever the terminal's own colours are.
        for line in qr_text(shared[0]).split("\n"):
            click.echo(styled(line, fg="bright_white", bg="black"))
    click.echo("Press Ctrl-C to stop.")
    sys.stdout.flush()
