"""What the user did that cannot be done."""


class BadInput(Exception):
    """Bad input: one line that says what, where and what would be right. The command line exits with 2."""
