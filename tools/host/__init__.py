# SPDX-License-Identifier: BSD-2-Clause
"""What `tools/metalcopy` is made of. record.py knows the record; each command is a module."""
