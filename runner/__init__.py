"""Does one: from a task and a patch to frozen evidence. The only package that knows Docker and git."""
