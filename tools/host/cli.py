# SPDX-License-Identifier: BSD-2-Clause
"""The command line. A command is a module with HELP, arguments(parser) and main(args) -> status.

Exit statuses mean the same everywhere: 0 good, 1 something is wrong with the
record or the run, 2 the command was called wrongly or a file cannot be read,
124 time-out.
"""

import argparse
import importlib
import os
import sys

COMMANDS = ("run", "capture", "check", "show", "list", "store", "compare", "report", "export")


class Refused(Exception):
    """Bad input: the message says what was wrong and what to do."""


def parser():
    top = argparse.ArgumentParser(
        prog="metalcopy", description="Runs metalcopy, and reads the records that it prints.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = importlib.import_module(f"host.{name}")
        sub = commands.add_parser(
            name, help=module.HELP, description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        module.arguments(sub)
        sub.set_defaults(main=module.main)
    return top


def main(argv):
    args = parser().parse_args(argv)
    try:
        return args.main(args)
    except Refused as error:
        print(f"metalcopy {args.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"metalcopy {args.command}: {where}{error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
