"""Joining a Ray cluster, or starting one for a call, and refusing one that differs."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ecliptic.distributed.installation import difference, installation
from ecliptic.distributed.ray_engine import RayEngine
from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.run.pool import THREAD_LIMITS

CONNECT_SECONDS = 10.0
"""For an address to answer."""
NODE_SECONDS = 120.0
"""For a node to start a process that says what is installed there."""
STORE_BYTES = 200 * 1024**2
"""Memory for parts on their way, of a cluster that we start: a part is a few megabytes."""
_QUIET = {"RAY_DISABLE_IMPORT_WARNING": "1", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


@contextmanager
def ray_engine(workers: int | None, address: str | None) -> Iterator[RayEngine]:
    """An engine on the cluster at ``address``, or on one that lives as long as the block.

    A program that is connected already keeps its connection.

    Raises
    ------
    MissingExtraError
        Ray is not installed.
    UsageError
        Nothing answers at the address within ``CONNECT_SECONDS``, or a node has other versions.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"workers must be at least 1, not {workers}")
    if find_spec("ray") is None:
        raise MissingExtraError("Ray clusters", "distributed")
    os.environ.update({name: os.environ.get(name, value) for name, value in _QUIET.items()})
    ray: Any = import_module("ray")
    joined = ray.is_initialized()
    if not joined:
        _connect(ray, workers, address)
    try:
        processors = int(ray.cluster_resources().get("CPU", 0))
        if processors < 1:
            raise UsageError("the Ray cluster has no processor; start nodes with --num-cpus")
        _compare(ray)
        yield RayEngine(min(workers or processors, processors))
    finally:
        if not joined:
            ray.shutdown()


def _connect(ray: Any, workers: int | None, address: str | None) -> None:
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        before = {name: os.environ.get(name) for name in THREAD_LIMITS}
        os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))  # workers inherit them
        try:
            ray.init(
                address="local",
                num_cpus=workers or os.cpu_count() or 1,
                include_dashboard=False,
                object_store_memory=STORE_BYTES,
                **common,
            )
        except Exception as error:  # noqa: BLE001  (Ray's own of a start that takes too long)
            raise UsageError(f"Ray could not be started here: {_line(error)}") from None
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
        return
    _require_answer(address)
    try:
        ray.init(address=address, **common)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"no Ray cluster at {address}: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _require_answer(address: str) -> None:
    """Say within seconds that nobody listens; Ray itself tries for minutes."""
    if address == "auto":
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"--address {address}: give HOST:PORT, such as head:6379, or auto")
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(
            f"no Ray cluster answers at {address} within {CONNECT_SECONDS:g} s ({why}); start one "
            "with `ray start --head`, or leave --address out"
        ) from None


def _compare(ray: Any) -> None:
    """Ask each node what is installed there."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = installation()
    asked = {}
    for node in ray.nodes():
        if node["Alive"]:
            where = NodeAffinitySchedulingStrategy(node_id=node["NodeID"], soft=False)
            remote = ray.remote(num_cpus=0, max_retries=1, scheduling_strategy=where)(_installed)
            asked[remote.remote()] = node["NodeManagerAddress"]
    ready, late = ray.wait(list(asked), num_returns=len(asked), timeout=NODE_SECONDS)
    if late:
        raise UsageError(
            f"Ray node {asked[late[0]]} started no process within {NODE_SECONDS:g} s; see its logs"
        )
    for reference in ready:
        node = asked[reference]
        try:
            told: Mapping[str, str] = ray.get(reference)
        except (ray.exceptions.TaskUnschedulableError, ray.exceptions.NodeDiedError):
            continue  # it has left meanwhile; nodes that join later are asked with each job
        except ray.exceptions.RayError as error:
            why = str(error).strip().rpartition("\n")[2][:200]
            raise UsageError(
                f"Ray node {node}: ecliptic cannot be imported there ({why}); install the same "
                "version with the extra 'distributed'"
            ) from None
        refuse_other(here, told, node)


def _installed() -> dict[str, str]:
    return dict(installation())


def refuse_other(here: Mapping[str, str], there: Mapping[str, str], node: str) -> None:
    """A :class:`UsageError` that says what differs between this machine and a node."""
    told = difference(here, there)
    if told:
        raise UsageError(f"Ray node {node} has other versions ({told}); install the same on both")
