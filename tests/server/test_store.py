"""The database: commits shared by many, migrations, SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from ecliptic.errors import UsageError
from ecliptic.server import schema
from ecliptic.server import store as changes
from ecliptic.server.store import Store, StoredSubmission, StoreError

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def row(name: str, **more) -> dict:
    base = {
        "token_digest": "d", "task": "t", "run": "", "agent": "a", "model": "", "created": 100.0,
        "paused": 0.0, "used": 100.0, "ended": "",
    }  # fmt: skip
    return {"id": name, **base, **more}


def kept(number: int, key: str | None = None) -> StoredSubmission:
    return StoredSubmission(number, key, "d", '{"\\u0000": 1}', 1.5, "{}", False)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of its own, over a socket alone."""
    if not BINARIES:
        pytest.skip("no PostgreSQL server on this machine")
    import pwd

    folder = tmp_path_factory.mktemp("postgres")
    tools, root = BINARIES[-1], os.geteuid() == 0
    if root:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        # The folders above belong to root alone.
        folder = Path(f"/tmp/ecliptic-postgres-{os.getpid()}")
        folder.mkdir()
        shutil.chown(folder, "postgres")
    user = {"user": "postgres"} if root else {}
    data = folder / "data"
    subprocess.run(
        [tools / "initdb", "-D", data, "-A", "trust", "-U", "tester", "--no-sync"],
        check=True, capture_output=True, cwd="/", **user,
    )  # fmt: skip
    options = f"-c listen_addresses='' -k {folder}"
    subprocess.run(
        [tools / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start"],
        check=True, capture_output=True, cwd="/", **user,
    )  # fmt: skip
    yield f"postgresql://tester@/postgres?host={folder}"
    subprocess.run(
        [tools / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop"],
        check=True, capture_output=True, cwd="/", **user,
    )  # fmt: skip
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str | None, Path]:
    if request.param == "sqlite":
        return None, tmp_path
    url = request.getfixturevalue("postgres")
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    schema.metadata.drop_all(engine)
    engine.dispose()
    return url, tmp_path


def test_what_was_kept_is_there_for_the_next_server(place) -> None:
    async def first() -> None:
        store = Store(*place)
        await asyncio.gather(*(store.do(changes.insert_attempt(row(f"a{i}"))) for i in range(50)))
        await store.do(changes.insert_submission("a1", kept(1, "k"), "", 120.0))
        await store.do(changes.insert_submission("a1", kept(2), "submissions", 130.0))
        await store.do(changes.end_attempt("a2", "closed", 140.0))
        await store.do(changes.take_up("suite", 1000.0))
        store.close()

    async def second() -> None:
        store = Store(*place)
        assert await store.do(changes.take_up("suite", 1060.0)) == ("suite", 60.0)
        found = {each.id: each for each in await store.do(changes.open_attempts)}
        assert len(found) == 48
        assert (found["a0"].paused, found["a0"].used) == (60.0, 160.0)
        attempt, submissions = await store.do(changes.read_attempt("a1"))
        assert (attempt.ended, attempt.used) == ("submissions", 130.0)
        assert submissions == [kept(1, "k"), kept(2)]
        assert await store.do(changes.read_attempt("' or 1=1 --")) is None
        store.close()

    asyncio.run(first())
    asyncio.run(second())


def test_one_faulty_change_does_not_take_others_with_it(place) -> None:
    async def main() -> None:
        store = Store(*place)
        await store.do(changes.insert_attempt(row("a")))
        works = [changes.insert_submission("a", kept(n, f"k{n % 5}"), "", 0.0) for n in range(10)]
        outcomes = await asyncio.gather(*map(store.do, works), return_exceptions=True)
        assert [isinstance(each, StoreError) for each in outcomes] == [False] * 5 + [True] * 5
        _, submissions = await store.do(changes.read_attempt("a"))
        assert [each.number for each in submissions] == [0, 1, 2, 3, 4]
        store.close()

    asyncio.run(main())


def test_one_server_a_database(place) -> None:
    store = Store(*place)
    with pytest.raises(UsageError, match="in use by another server"):
        Store(*place)
    store.close()
    Store(*place).close()


@pytest.mark.parametrize(
    ("version", "told"), [("99", "schema 99"), ("-1", "none of this server's"), ("x", "none of")]
)
def test_a_database_of_another_version_is_refused(place, version, told) -> None:
    async def main() -> None:
        store = Store(*place)
        await store.do(lambda connection: changes.put_setting(connection, "schema", version))
        store.close()

    asyncio.run(main())
    with pytest.raises(UsageError, match=told):
        Store(*place)


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "postgresql://127.0.0.1:1/none"])
def test_a_database_that_cannot_be_used_is_one_line(url, tmp_path) -> None:
    with pytest.raises(UsageError) as told:
        Store(url, tmp_path)
    assert "\n" not in str(told.value)


def test_files_of_the_state_are_private(tmp_path) -> None:
    from ecliptic.server.credentials import operator_key
    from ecliptic.server.signatures import Signer

    folder = tmp_path / "state"
    Store(None, folder).close()
    key = operator_key(folder)
    assert operator_key(folder) == key
    assert Signer.of_folder(folder).public_key == Signer.of_folder(folder).public_key
    for name in ("attempts.sqlite", "operator.key", "signing.pem"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    (folder / "operator.key").chmod(0o644)
    with pytest.raises(UsageError, match="can be read by others"):
        operator_key(folder)
