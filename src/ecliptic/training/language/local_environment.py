"""Where rollouts run by default: on this machine."""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc"

from __future__ import annotations

import verifiers.v1 as vf


class LocalConfig(vf.SingleAgentEnvConfig):
    """The library's single agent, in a local process."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class LocalEnvironment(vf.SingleAgentEnv, vf.Env[LocalConfig]):
    """The library's single agent, whose chat loop is a process of this machine.

    The library's own default is a machine that its makers rent out. Nothing of the model's runs in
    that process: its code goes to the laboratory.
    """
