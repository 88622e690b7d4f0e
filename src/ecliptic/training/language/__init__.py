"""Both worlds as tasksets of the verifiers library (version 1 of its interface).

The library finds a taskset by the name of a top-level module, so there are two that hold nothing
else: ``ecliptic_stars`` and ``ecliptic_questions``. A task's data are frozen; the reward is what
the grader says of what was handed in; ``validate`` proves a task. An agent gets its prompt and the
tools; the truth stays in the process that scores and in the tool server.
"""
