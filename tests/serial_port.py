# SPDX-License-Identifier: BSD-2-Clause
"""A serial port for tests: a pseudo-terminal whose other end the test holds."""

import os
import tty


class Port:
    """A serial port that the test speaks through; `path` is a link, so that it can come back."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.master = None
        self.plug()

    def plug(self):
        self.master, slave = os.openpty()
        tty.setraw(slave)
        if os.path.lexists(self.path):
            os.remove(self.path)
        os.symlink(os.ttyname(slave), self.path)
        self.slave = slave

    def unplug(self):
        os.remove(self.path)
        os.close(self.slave)
        os.close(self.master)

    def say(self, text):
        data = text if isinstance(text, bytes) else text.encode("latin-1")
        while data:
            data = data[os.write(self.master, data[:512]):]
