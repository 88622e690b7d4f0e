"""Studies: suites x agents x models x epochs x seeds, from a file, run cell by cell.

A study runs through :mod:`ecliptic.evals.campaign` (language models) and :mod:`ecliptic.run`
(solvers); it holds no other way to run. Reading and showing one needs no extra.
"""

from ecliptic.studies.catalogue import find_study, shipped_studies
from ecliptic.studies.definition import Study
from ecliptic.studies.grid import Cell, cells_of
from ecliptic.studies.study_files import read_study

__all__ = ["Cell", "Study", "cells_of", "find_study", "read_study", "shipped_studies"]
