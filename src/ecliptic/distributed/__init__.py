"""The work of the commands on many machines: the same bytes on one core or on a hundred nodes.

Work is cut into shards whose size depends on the kind of work alone. A shard is a pure function of
the command's parameters and its number. An :class:`Engine` decides where shards run: local
processes, or a Ray cluster (extra ``distributed``). Whatever it is, finished parts are on disk with
their hashes before the next are asked for, and the same command goes on from there.
"""

from ecliptic.distributed.engine import Engine, engine_of
from ecliptic.distributed.engine_pool import EnginePool
from ecliptic.distributed.local_engine import LocalEngine
from ecliptic.distributed.question_shards import QuestionShards, generate_questions
from ecliptic.distributed.shards import ShardSummary, run_shards
from ecliptic.distributed.star_shards import StarShards, generate_stars

__all__ = [
    "Engine",
    "EnginePool",
    "LocalEngine",
    "QuestionShards",
    "ShardSummary",
    "StarShards",
    "engine_of",
    "generate_questions",
    "generate_stars",
    "run_shards",
]
