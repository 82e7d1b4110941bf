# SPDX-License-Identifier: BSD-2-Clause
"""Prints the manual page or a shell completion, made from the commands' own help.

  metalcopy manual | man -l -
  metalcopy manual --completion bash > /etc/bash_completion.d/metalcopy"""

import argparse

from host import cli

HELP = "print the manual page, or a shell completion"


def arguments(parser):
    parser.add_argument("--completion", choices=("bash",), help="a completion for this shell")


def commands(top):
    """name -> parser of each command."""
    return next(action.choices for action in top._actions  # pylint: disable=protected-access
                if isinstance(action, argparse._SubParsersAction))


def options(parser):
    return [action for action in parser._actions  # pylint: disable=protected-access
            if action.option_strings]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line
                     for line in text.split("\n"))


def paragraphs(text):
    """Indented lines are examples."""
    example = False
    for line in text.split("\n"):
        indented = line.startswith("  ")
        if indented != example:
            yield ".RS\n.nf" if indented else ".fi\n.RE"
            example = indented
        yield roff(line.strip()) or ".PP"
    if example:
        yield ".fi\n.RE"


def section(name, parser):
    yield f".SS metalcopy {name}"
    usage = parser.format_usage().split(None, 2)[2]
    yield f".B metalcopy {name}\n{roff(' '.join(usage.split()[1:]))}\n.PP"
    yield from paragraphs(parser.description)
    for action in parser._actions:  # pylint: disable=protected-access
        names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        if action.option_strings and action.metavar:
            names += f" {action.metavar}"
        choices = f"one of {', '.join(map(str, action.choices))}; " if action.choices else ""
        yield f".TP\n.B {roff(names)}\n{roff((choices + (action.help or '')).strip(' ;'))}"


def manual_page(top):
    yield '.TH METALCOPY 1 "" metalcopy "User Commands"'
    yield ".ad l"
    yield ".SH NAME\nmetalcopy \\- run metalcopy, and read the records that it prints"
    yield ".SH SYNOPSIS\n.B metalcopy\n.I COMMAND\n[\\fIARGUMENT\\fR ...]"
    yield ".SH DESCRIPTION"
    yield from paragraphs(cli.DESCRIPTION)
    yield ".SH COMMANDS"
    for name, parser in commands(top).items():
        yield from section(name, parser)


def bash_completion(top):
    cases = []
    for name, parser in commands(top).items():
        words = " ".join(word for action in options(parser) for word in action.option_strings)
        values = "".join(
            f"\n            {'|'.join(action.option_strings)}) "
            f"choices='{' '.join(map(str, action.choices))}' ;;"
            for action in options(parser) if action.choices)
        cases.append(f"    {name})\n        words='{words}'\n        case $before in{values}"
                     "\n        esac ;;")
    return f"""# bash completion for metalcopy
_metalcopy() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local words='' choices=''
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '{' '.join(commands(top))}' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
    esac
    if [ -n "$choices" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _metalcopy metalcopy
"""


def main(args):
    top = cli.parser()
    print(bash_completion(top) if args.completion else "\n".join(manual_page(top)))
    return 0
