/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/screen.h"
#include "kernel/serial.h"

void console_early(void)
{
	serial_early();
	screen_early();
}

void console_start(void)
{
	serial_start();
	screen_start();
}

void machine_write_line(const char *text, size_t length)
{
	serial_write_line(text, length);
	screen_write_line(text, length);
	kept_line(text, length);
}
