"""Verifiable scientific-reasoning tasks for AI agents."""
