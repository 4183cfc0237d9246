"""Measures what the book promises, beside what one would use instead; `make bench` runs it."""
