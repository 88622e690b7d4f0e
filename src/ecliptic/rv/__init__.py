"""Radial velocities: tasks, physics, grading, an environment and solvers."""
