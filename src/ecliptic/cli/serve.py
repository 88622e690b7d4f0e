"""``ecliptic serve``: a suite for agents that live elsewhere, and signed results."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from ecliptic.errors import EclipticError, MissingExtraError, UsageError
from ecliptic.files import read_json, write_bytes

if TYPE_CHECKING:
    from ecliptic.server.service import Service
    from ecliptic.server.settings import Limits, Source

DONE, FAILED = 0, 1
EXTRA = "server"
_Path = click.Path(path_type=Path)


class ServeGroup(click.Group):
    """A group whose first word, where it is no subcommand, is the suite to be served."""

    default: ClassVar[str] = "suite"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the main job where no subcommand is named."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)


@click.group(cls=ServeGroup, no_args_is_help=True)
def serve() -> None:
    """Serve a suite over HTTP and MCP: `ecliptic serve SUITE`.

    The truth stays in this machine's memory; agents need nothing of this package.
    """


def _source_options(function: Any) -> Any:
    for option in (
        click.argument("suite"),
        click.option("--truth", type=_Path, help="The private part of a sealed suite."),
        click.option("--protocol", help="How stars are graded; by default as the suite says."),
    ):
        function = option(function)
    return function


@serve.command("suite")
@_source_options
@click.option(
    "--feedback",
    type=click.Choice(("none", "statistical", "criteria")),
    default="criteria",
    show_default=True,
    help="How much an agent is told.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8321, show_default=True)
@click.option("--mcp", "way", type=click.Choice(("http", "stdio")), default="http",
              help="stdio: one attempt over standard input and output, no HTTP.")  # fmt: skip
@click.option("--task", help="With --mcp stdio: the task to play.")
@click.option(
    "--state",
    type=_Path,
    help="Folder of database and keys.  [default: ./served/SUITE; with stdio: in memory]",
)
@click.option("--database", metavar="URL", help="PostgreSQL instead of SQLite in --state.")
@click.option("--open", "open_creation", is_flag=True, help="Anybody may create attempts.")
@click.option(
    "--isolation",
    type=click.Choice(("auto", "bubblewrap", "unconfined", "none")),
    default="auto",
    show_default=True,
    help="Of the tool `python`; none: without that tool.",
)
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=VALUE",
    help="Change a limit, such as laboratories=16; `--limit help` lists them.",
)  # fmt: skip
def suite_(
    suite: str,
    truth: Path | None,
    protocol: str | None,
    feedback: str,
    host: str,
    port: int,
    way: str,
    task: str | None,
    state: Path | None,
    database: str | None,
    open_creation: bool,
    isolation: str,
    limits: tuple[str, ...],
) -> int:
    """Serve SUITE: a shipped name, a folder, a Parquet file, or question records (.jsonl).

    Example: ecliptic serve quick --port 8321
    """
    if "help" in limits:
        click.echo(_limits_help())
        return DONE
    source = _source(suite, truth, protocol, feedback)
    if task is not None and way != "stdio":
        raise UsageError("--task goes with --mcp stdio; over HTTP an attempt names its task")
    if state is None and way == "http":
        state = default_state(suite)
    try:
        from ecliptic.server.logs import start_logging
        from ecliptic.server.service import prepare
        from ecliptic.server.settings import Settings
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    start_logging("WARNING" if way == "stdio" else "INFO")
    settings = Settings(source, state, database, open_creation, isolation, _limits(limits))
    if way == "stdio":
        from ecliptic.server.stdio import serve_stdio

        asyncio.run(serve_stdio(prepare(settings), task))
        return DONE
    return _serve_http(lambda: prepare(settings), host, port, settings.state)


def default_state(suite: str) -> Path:
    """Folder of a suite's state, by the name that its results go by."""
    from ecliptic.analysis.log_headers import suite_name

    return Path("served", Path(suite_name(suite)).name or "suite")


def _serve_http(prepared: Any, host: str, port: int, state: Path | None) -> int:
    from ecliptic.server.credentials import OPERATOR_VARIABLE
    from ecliptic.server.http_server import listen, serve_http

    with listen(host, port) as taken:
        port = taken.getsockname()[1]
        service: Service = prepared()
        shown = f"[{host}]" if ":" in host else host

        def tell() -> None:
            click.echo(f"serving {service.served['name']} at http://{shown}:{port} (MCP at /mcp)")
            click.echo(f"operator's key: {OPERATOR_VARIABLE}, or {state}/operator.key")

        return DONE if serve_http(service, taken, tell) else FAILED


def _source(suite: str, truth: Path | None, protocol: str | None, feedback: str) -> Source:
    try:
        from ecliptic.server.settings import Source
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    from ecliptic.helio.shipped import SETS

    if suite in SETS or suite == "rws" or suite.endswith(".jsonl"):
        return Source(suite, "questions", feedback=feedback, protocol=protocol,
                      truth=None if truth is None else str(truth))  # fmt: skip
    if protocol is None:
        from ecliptic.run import protocol_for
        from ecliptic.suite import load_suite

        protocol = protocol_for(load_suite(suite, truth=truth)).label
    return Source(suite, "stars", None if truth is None else str(truth), protocol, feedback)


def _missing(error: ModuleNotFoundError) -> EclipticError | ModuleNotFoundError:
    ours = (error.name or "").startswith("ecliptic")
    return error if ours else MissingExtraError("serving and signed results", EXTRA)


def _limits(changes: tuple[str, ...]) -> Limits:
    from dataclasses import fields, replace

    from ecliptic.arguments import one_of
    from ecliptic.server.settings import Limits

    known = {each.name: type(getattr(Limits(), each.name)) for each in fields(Limits)}
    given = {}
    for change in changes:
        name, _, value = change.partition("=")
        name = one_of("--limit", name, known)
        try:
            given[name] = known[name](value)
        except ValueError:
            raise UsageError(f"--limit {name}: takes a number, not '{value}'") from None
    return replace(Limits(), **given)


def _limits_help() -> str:
    from dataclasses import asdict

    from ecliptic.server.settings import Limits

    return "\n".join(f"{name}={value:g}" for name, value in asdict(Limits()).items())


@serve.command("grade")
@_source_options
@click.argument("submissions", type=_Path)
@click.option("--agent", required=True, help="Who made the submissions.")
@click.option("--model", default="", help="Its language model, if it has one.")
@click.option("--state", type=_Path, required=True, help="Folder with the signing key.")
@click.option("--out", type=_Path, required=True, help="The signed result to write.")
def grade(
    suite: str,
    truth: Path | None,
    protocol: str | None,
    submissions: Path,
    agent: str,
    model: str,
    state: Path,
    out: Path,
) -> int:
    """Grade a file of submissions (JSON lines of task and submission), and sign the counts."""
    source = _source(suite, truth, protocol, "none")
    try:
        from ecliptic.server.offline import grade_file
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    signed = grade_file(source, submissions, agent, model, state)
    write_bytes(out, (json.dumps(signed, indent=1) + "\n").encode())
    counts = signed["counts"]
    click.echo(f"{counts['passed']} of {counts['tasks']} pass; signed result: {out}")
    return DONE


@serve.command("verify")
@click.argument("result", type=_Path)
@click.option("--key", help="The server's public key (GET /v1/leaderboard/key), base64.")
def verify(result: Path, key: str | None) -> int:
    """Verify a signed result, and show what it says."""
    try:
        from ecliptic.server.signatures import verify_result
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    document = read_json(result)
    try:
        verify_result(document, key)
    except UsageError as error:
        raise UsageError(f"{result}: {error}") from None
    assert isinstance(document, dict)
    counts, about = document["counts"], document["suite"]
    click.echo(
        f"{document['agent']} {document['model']}".strip()
        + f": {counts['passed']} of {counts['tasks']} pass on {about['name']} "
        f"({about['checksum'][:12]}...), protocol {document['protocol']}, {document['mode']}, "
        f"{document['date']}, ecliptic {document['version']}"
    )
    whose = "" if key else "; give --key to know whose key it is"
    click.echo(f"the signature holds, by key {document['public_key']}{whose}")
    return DONE
