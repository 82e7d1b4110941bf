# SPDX-License-Identifier: BSD-2-Clause
"""Help, manual page and completion: made from one source, and of use."""

import os

from harness import METALCOPY, command, metalcopy, scratch

COMMANDS = ("run", "capture", "qr", "check", "show", "list", "store", "compare", "report",
            "export", "manual")


def test_help():
    metalcopy("--help").expect(0, *COMMANDS)
    for name in COMMANDS:
        metalcopy(name, "--help").expect(0, f"usage: metalcopy {name}")
    metalcopy("sing").expect(2, "invalid choice: 'sing'")
    metalcopy().expect(2, "usage: metalcopy")


def test_manual_page():
    page = metalcopy("manual").expect(0).out
    assert page.startswith(b".TH METALCOPY 1"), page[:100]
    result = command("groff", "-man", "-Tascii", "-P-cbou", "-ww", stdin=page).expect(0)
    assert not result.err, result
    for name in COMMANDS:
        assert f"metalcopy {name}\n".encode() in result.out, name


def test_completion():
    script = os.path.join(scratch("manual"), "completion")
    with open(script, "wb") as file:
        file.write(metalcopy("manual", "--completion", "bash").expect(0).out)
    command("shellcheck", "-s", "bash", script).expect(0)

    def complete(*words):
        return command("bash", "-c", f"source {script}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($#-1));"
                       "_metalcopy; echo ${COMPREPLY[@]}", "bash", *words).expect(0).out.split()
    assert complete("metalcopy", "ch") == [b"check"]
    assert b"uefi32" in complete("metalcopy", "run", "--boot", "ue")
    assert complete("metalcopy", "compare", "--ba") == [b"--baseline"]


def test_what_is_missing_is_named():
    """Without matplotlib only report fails, and says what to do."""
    folder = scratch("manual-missing")
    with open(os.path.join(folder, "matplotlib.py"), "w", encoding="ascii") as file:
        file.write("raise ModuleNotFoundError('no', name='matplotlib')\n")
    environment = {**os.environ, "PYTHONPATH": folder}
    command(METALCOPY, "report", "x", env=environment).expect(2, "matplotlib is missing: make deps")
    command(METALCOPY, "check", "/dev/null", env=environment).expect(1, "no record")
