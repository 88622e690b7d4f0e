"""The database's tables, the same in SQLite and PostgreSQL, and their migrations by version."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ecliptic.errors import UsageError

metadata = sa.MetaData()

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""``schema`` (the version), ``suite`` (its checksum), ``alive`` (the last heartbeat)."""

attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("token_digest", sa.String(64), nullable=False),
    sa.Column("task", sa.String(200), nullable=False),
    sa.Column("run", sa.String(100), nullable=False, index=True),
    sa.Column("agent", sa.String(200), nullable=False),
    sa.Column("model", sa.String(200), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("paused", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
    sa.Column("ended", sa.String(20), nullable=False, index=True),
)
"""``task``: its key in the suite. Times are seconds since 1970; ``paused`` are seconds that do not
count. ``used`` is the last call; ``ended`` is empty while the attempt goes on."""

submissions = sa.Table(
    "submissions",
    metadata,
    sa.Column("attempt", sa.String(24), sa.ForeignKey("attempts.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(200)),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("passed", sa.Boolean, nullable=False),
    sa.UniqueConstraint("attempt", "key"),
)
"""Graded submissions in order. ``answer`` is what the agent was told; ``passed`` is sealed."""

results = sa.Table(
    "results",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("document", sa.Text, nullable=False),
)
"""Signed results of the leaderboard; ``digest`` is that of what was graded."""

MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (metadata.create_all,)
"""Step ``i`` brings a database of version ``i`` to version ``i + 1``."""


def migrate(connection: sa.Connection) -> None:
    """Bring the database to this version's schema.

    Raises
    ------
    UsageError
        A newer version of ecliptic has written it.
    """
    version = 0
    if sa.inspect(connection).has_table("settings"):
        found = connection.execute(
            sa.select(settings.c.value).where(settings.c.name == "schema")
        ).scalar()
        if not str(found or 0).isdecimal():
            raise UsageError("the database is none of this server's; take another")
        version = int(found or 0)
    if version > len(MIGRATIONS):
        raise UsageError(
            f"the database is of schema {version}, this version knows {len(MIGRATIONS)}: "
            "serve it with the newer ecliptic, or take another database"
        )
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(sa.delete(settings).where(settings.c.name == "schema"))
    connection.execute(sa.insert(settings).values(name="schema", value=str(len(MIGRATIONS))))
