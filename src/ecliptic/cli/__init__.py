"""The console command ``ecliptic``: a module a command."""

from ecliptic.cli.app import main

__all__ = ["main"]
