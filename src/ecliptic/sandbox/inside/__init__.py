"""The part of the laboratory that runs where the agent's code runs.

Standard library and numpy only, and no import of anything else of this project: the folder alone is
carried into the jail (or into a container) and started with :func:`supervisor.main`. It speaks JSON
lines on standard input and output:

    -> {"settings": {...}, "preload": {...}}             once
    <- {"ready": true}
    -> {"id": 1, "code": "...", "seconds": 60}           run a cell
    -> {"interrupt": 1}                                  stop that cell now
    -> {"restart": 2}                                    fresh variables; answered by {"id": 2}
    <- {"id": 1, "head": "...", "tail": "", "cut": 0, "error": null, "images": [],
        "seconds": 0.1, "timed_out": false, "lost": null, "ignored": 0,
        "emptied": false}

End of input ends everything.
"""
