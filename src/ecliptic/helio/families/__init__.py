"""Procedural heliophysics problems: a family turns a seed into records whose answers are proven."""
