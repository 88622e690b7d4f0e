"""The tool server of stars: ``python`` with the data in it, and ``submit``.

Run as a program by the library: one process for all rollouts of a worker. It holds the tasks with
their truth; the model's code runs in the laboratory's jail, not here.
"""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

# Annotations are read by the tool protocol, and so are not postponed here.

from typing import Annotated, Any

import verifiers.v1 as vf
from mcp.server.mcpserver import MCPServer
from pydantic import Field

from ecliptic.errors import UsageError
from ecliptic.rv.agent_texts import session_variables
from ecliptic.rv.submission import AGENT_LIMITS
from ecliptic.training.language.attempts import Attempt, AttemptRules, Attempts
from ecliptic.training.language.laboratory_tools import (
    AttemptState,
    LaboratoryConfig,
    LaboratoryTools,
)

Planets = Annotated[
    list[dict[str, Any]],
    Field(
        description="one object a planet: period_days "
        f"(> {AGENT_LIMITS.period_above_days:g}), m_sin_i_mjup (minimum mass in Jupiter masses), "
        f"e (0 to {AGENT_LIMITS.max_e:g}), omega_rad (argument of periastron of the star), l_rad "
        f"(mean longitude omega + M at t_ref_days); at most {AGENT_LIMITS.max_planets}"
    ),
]
Noise = Annotated[
    dict[str, Any] | None,
    Field(description='optional: {"sigma_jitter_ms": white noise beyond the quoted errors, m/s}'),
]


class StarState(AttemptState):
    """Set on the host: ``rules``. Told by the server: what was graded, in order; whether over."""

    rules: AttemptRules | None = None
    submissions: list[Any] = Field(default_factory=list)
    over: bool = False


class StarToolsConfig(LaboratoryConfig):
    """``laboratory``: whether there is ``python``. Without it the prompt holds the data."""

    laboratory: bool = True


class StarTools(LaboratoryTools, vf.Toolset[StarToolsConfig, StarState]):
    """Attempts on stars, one a rollout."""

    async def setup(self) -> None:
        """Nothing is begun before the first call."""
        await super().setup()
        self._attempts = Attempts(self.config.idle_seconds)

    def register(self, mcp: MCPServer) -> None:
        """Offer the tools."""
        super().register(mcp)
        if not self.config.laboratory:
            mcp.remove_tool("python")

    async def _running(self) -> Attempt:
        if self.state.rules is None:
            raise UsageError("a call without a star")
        return await self._attempts.of(self.attempt, self.state.rules)

    @vf.tool
    async def python(self, code: str) -> str:
        """Run Python and return what it prints, with the value of a last expression.

        Variables, imports and files are kept from call to call. numpy (as np), scipy, astropy,
        matplotlib and sympy can be imported. The data are there already: times_days, rvs_ms,
        sigmas_ms (arrays), instruments (one label a point), star_mass_sun, t_ref_days, and where
        the star has any, indicators (a dict of dicts with values_ms and sigmas_ms).
        """
        observation = (await self._running()).environment.task.observation
        return await self._laboratories.run(self.attempt, code, session_variables(observation))

    @vf.tool
    async def submit(self, planets: Planets, noise: Noise = None) -> str:
        """Hand in a model of the planets and learn how it was judged.

        The number of submissions is limited; one that does not follow the schema costs none.
        Instrument offsets are fitted for you.
        """
        attempt = await self._running()
        text = await attempt.submit(
            {"planets": planets, **({} if noise is None else {"noise": noise})}
        )
        # The whole list each time: of two calls at once the later one writes it complete.
        self.state.submissions = list(attempt.graded)
        self.state.over = attempt.environment.over
        if self.state.over:
            await self._laboratories.end(self.attempt)
        return text


if __name__ == "__main__":
    StarTools.run()
