"""The laboratory: stateful Python for an agent, in a jail.

```python
async with Laboratory.open({"times_days": times, "rvs_ms": velocities}) as laboratory:
    result = await laboratory.run("np.ptp(times_days)")
    print(result.text, result.error)
```

:class:`BlockingLaboratory` is the same for code that is not asynchronous. What an agent may try,
and what stops it, stands in ``docs/security.md``. ``RUNNER_FOLDER`` and :func:`runner_command`
start the part that runs the code elsewhere, such as in a container; its protocol is described in
``ecliptic.sandbox.inside``.
"""

from .blocking import BlockingLaboratory
from .isolation import Isolation, why_no_bubblewrap
from .jail import RUNNER_FOLDER, runner_command
from .laboratory import Laboratory
from .limits import Limits
from .preload import encode as encode_preload
from .process import session_settings
from .result import CellResult, read_outcome

__all__ = [
    "RUNNER_FOLDER",
    "BlockingLaboratory",
    "CellResult",
    "Isolation",
    "Laboratory",
    "Limits",
    "encode_preload",
    "read_outcome",
    "runner_command",
    "session_settings",
    "why_no_bubblewrap",
]
