"""The helper package of the book "I am a robot": one module per concept. Import from the modules."""
