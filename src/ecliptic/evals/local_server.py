"""Serves a GGUF file on loopback until standard input closes; a program, not to be imported.

Prints the address once it listens. Run by path, so that nothing of this project is loaded.
"""

from __future__ import annotations

import sys


def main(model: str, context: int, slots: int) -> None:
    """Serve, with one thread: two on a busy machine are slower than one."""
    import xllamacpp  # type: ignore[import-not-found, unused-ignore]

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context * slots
    params.n_parallel = slots
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    # By default it keeps the prompts of up to 8 GB; calls here share little but their beginnings.
    params.cache_ram_mib = 256
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
