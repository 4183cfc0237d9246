"""Measures the figures of README.md; `make bench` runs it."""
