# SPDX-License-Identifier: BSD-2-Clause
"""The command line. A command is a module with HELP, arguments(parser) and main(args) -> status."""

import argparse
import importlib
import os
import sys

COMMANDS = ("run", "capture", "qr", "check", "show", "list", "store", "compare", "report",
            "export", "manual")


DESCRIPTION = """Runs metalcopy, and reads the records that it prints. Exit statuses mean the
same everywhere: 0 good, 1 something is wrong with the record or the run, 2 the command was
called wrongly or a file cannot be read, 124 the time was up.

  metalcopy run -o first.record                 in QEMU
  metalcopy capture lab1=/dev/ttyUSB0           from a machine, until END
  metalcopy check lab1.record                   is it whole?
  metalcopy report lab1.record -o lab1.html     which copy, on this CPU, in which state
  metalcopy compare before.record after.record
  metalcopy COMMAND --help                      says more, with examples"""


class Refused(Exception):
    """Bad input: the message says what was wrong and what to do."""


def parser(only=None):
    """With `only`, the others' arguments are left out, and with them what they import."""
    top = argparse.ArgumentParser(prog="metalcopy", description=DESCRIPTION,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        if only in COMMANDS and name != only:
            commands.add_parser(name)
            continue
        module = importlib.import_module(f"host.{name}")
        sub = commands.add_parser(
            name, help=module.HELP, description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        module.arguments(sub)
        sub.set_defaults(main=module.main)
    return top


def main(argv):
    name = "metalcopy"
    try:
        args = parser(argv[0] if argv else None).parse_args(argv)
        name += f" {args.command}"
        return args.main(args)
    except ModuleNotFoundError as error:
        print(f"{name}: Python's {error.name} is missing: make deps", file=sys.stderr)
        return 2
    except Refused as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: {where}{error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
