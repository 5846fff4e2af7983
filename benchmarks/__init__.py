"""The figures that the project is held to, each from one command."""
