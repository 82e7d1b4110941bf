# SPDX-License-Identifier: BSD-2-Clause
"""`metalcopy capture` over pseudo-terminals: what a serial port does to people."""

import os
import subprocess
import threading
import time

from harness import METALCOPY, PATIENCE, metalcopy, scratch, until
from serial_port import Port
from synthetic import record


def start(*words):
    return subprocess.Popen([METALCOPY, "capture", "--timeout", str(60 * PATIENCE), *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def listening(port):
    """Waits until the capture has opened the port: nothing said before would be lost, but a
    port that is unplugged must have been open."""
    target = os.path.realpath(port.path)
    until(lambda: any(opened(process, target) for process in os.listdir("/proc")
                      if process.isdigit() and process != str(os.getpid())),
          lambda: "the port was never opened")


def opened(process, target):
    try:
        folder = f"/proc/{process}/fd"
        return any(os.readlink(f"{folder}/{fd}") == target for fd in os.listdir(folder))
    except OSError:
        return False


def finish(process, status):
    out, err = process.communicate(timeout=90 * PATIENCE)
    assert process.returncode == status, f"{process.returncode}\n{out}\n{err.decode()}"
    return err.decode()


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def test_garbage_and_CR_LF():
    folder = scratch("capture-garbage")
    port = Port(folder, "port")
    process = start(f"lab={port.path}", "-o", folder)
    noise = b"\x00\xff\xfe garbage\r\n"
    wire = record().replace("\n", "\r\n").encode()
    port.say(noise + wire)
    assert "whole, status=pass" in finish(process, 0)
    assert content(folder, "lab.record") == record().encode()
    assert content(folder, "lab.log") == noise + wire


def test_restart_in_the_middle():
    folder = scratch("capture-restart")
    port = Port(folder, "port")
    process = start(port.path, "-o", folder)
    port.say(record()[:5000] + "\r\nBIOS 1.0\r\n" + record(meta={"seed": "2"}))
    assert "the machine started again" in finish(process, 0)
    assert content(folder, "port.record") == record(meta={"seed": "2"}).encode()


def test_adapter_that_goes_and_comes():
    folder = scratch("capture-usb")
    port = Port(folder, "port")
    process = start(port.path, "-o", folder)
    listening(port)
    port.say("booting\r\n")
    until(lambda: content(folder, "port.log.part") == b"booting\r\n",
          lambda: "the log does not come as the port speaks")
    port.unplug()
    time.sleep(1)  # for it to look in vain; nothing hangs on how long
    port.plug()
    port.say(record())
    assert "has gone; waiting for it" in finish(process, 0)
    assert content(folder, "port.log") == b"booting\r\n" + record().encode()


def test_several_devices():
    folder = scratch("capture-several")
    ports = {name: Port(folder, name) for name in ("one", "two", "three")}
    process = start(*(f"{name}-machine={port.path}" for name, port in ports.items()),
                    "-o", folder)
    texts = {name: record(meta={"args": name}) for name in ports}
    writers = [threading.Thread(target=ports[name].say, args=(texts[name],)) for name in ports]
    for writer in writers:
        writer.start()
    finish(process, 0)
    for name, text in texts.items():
        assert content(folder, f"{name}-machine.record") == text.encode()


def test_time_is_up():
    folder = scratch("capture-late")
    port = Port(folder, "port")
    process = start(port.path, "-o", folder, "--timeout", "10")
    port.say("\n".join(record().split("\n")[:250]) + "\n")
    err = finish(process, 124)
    assert "no END line" in err and "good up to line 202, lines=200" in err, err
    assert content(folder, "port.record").startswith(b"METALCOPY START v1\n")


def test_damaged():
    folder = scratch("capture-damaged")
    port = Port(folder, "port")
    process = start(port.path, "-o", folder)
    port.say(record().replace("n=64/", "n=65/", 1))
    assert "damaged between START" in finish(process, 1)


def test_saved_log_and_standard_input():
    folder = scratch("capture-saved")
    log = os.path.join(folder, "saved")
    with open(log, "w", encoding="ascii") as file:
        file.write("noise\n" + record())
    metalcopy("capture", f"again={log}", "-o", folder).expect(0, "whole")
    assert content(folder, "again.record") == record().encode()
    metalcopy("capture", "-", "-o", folder, stdin=content(log)).expect(0)
    assert content(folder, "stdin.record") == record().encode()
    metalcopy("capture", "-", "-o", folder, stdin=content(log)).expect(2, "--force")
    metalcopy("capture", "-", "-o", folder, "--force", stdin=b"").expect(1, "START never came")


def test_what_cannot_be_used():
    folder = scratch("capture-wrong")
    metalcopy("capture", "/nonexistent/port", "-o", folder).expect(2, "no such device")
    metalcopy("capture", folder, "-o", folder).expect(2, "is a folder")
    metalcopy("capture", "-", "-", "-o", folder).expect(2, "two devices of one name")
    metalcopy("capture", "-", "-s", "12345", "-o", folder).expect(2, "not one of", "115200")
    metalcopy("capture", "-", "-o", folder + "/none").expect(2, "no such folder")
