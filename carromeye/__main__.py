"""`python -m carromeye`: the command line, for shells that do not find the script."""

from carromeye.cli import main

main()
