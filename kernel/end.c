/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a run. Each way out is tried for a bounded time and then gives way to
 * the next; the last one, halting, cannot fail. */
#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/viewer.h"
#include "lib/option.h"
#include "lib/string.h"

static enum { END_DEFAULT, END_HALT, END_REBOOT, END_OFF, END_EXIT } end = END_DEFAULT;

static bool set_end(const char *value)
{
	static const char *const names[] = { "", "halt", "reboot", "off", "exit" };
	for (int i = END_HALT; i <= END_EXIT; i++) {
		if (strcmp(value, names[i]))
			continue;
		end = i;
		return true;
	}
	return false;
}
OPTION(end, "halt|reboot|off|exit", "what to do after the run (exit: leave QEMU)", set_end);

/* Time for the hardware to act: reads of a port that is always there, a microsecond
 * or so each. */
static void linger(void)
{
	for (unsigned i = 0; i < 100000; i++)
		inb(0x61);
}

static _Noreturn void halt(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

/* ------------------------------------------------------------ QEMU's exit */

/* The device isa-debug-exit, iobase=0xf4: QEMU's exit status is twice the value
 * written, plus 1; so 33 for a passed run and 35 for a failed one. */
#define EXIT_PORT   0xf4
#define EXIT_PASSED 0x10
#define EXIT_FAILED 0x11

/* The device reads as 0, an empty bus as all ones. */
static bool exit_is_possible(void)
{
	return qemu_is_here() && inb(EXIT_PORT) == 0;
}

static void exit_emulator(bool passed)
{
	if (exit_is_possible())
		outb(EXIT_PORT, passed ? EXIT_PASSED : EXIT_FAILED);
}

/* ------------------------------------------------------------ power off */

/* The integer constant at *at (ACPI 20.2.3): a byte, or one of the short forms. */
static bool aml_byte(const uint8_t *aml, size_t n, size_t *at, uint8_t *value)
{
	if (*at >= n)
		return false;
	uint8_t op = aml[(*at)++];
	*value = op;
	if (op == 0x00 || op == 0x01) /* ZeroOp, OneOp */
		return true;
	if (op != 0x0a || *at >= n) /* BytePrefix */
		return false;
	*value = aml[(*at)++];
	return true;
}

/* At a NameOp: Name (_S5_, Package () { SLP_TYPa, SLP_TYPb, ... }) */
static bool aml_s5(const uint8_t *aml, size_t n, uint8_t type[2])
{
	static const uint8_t name[] = { 0x08, '_', 'S', '5', '_', 0x12 };
	static const uint8_t root_name[] = { 0x08, '\\', '_', 'S', '5', '_', 0x12 };
	size_t at;
	if (!memcmp(aml, name, sizeof name))
		at = sizeof name;
	else if (!memcmp(aml, root_name, sizeof root_name))
		at = sizeof root_name;
	else
		return false;
	at += 1 + (aml[at] >> 6); /* the package's length */
	at += 1;                  /* the number of its elements */
	return aml_byte(aml, n, &at, &type[0]) && aml_byte(aml, n, &at, &type[1]);
}

/* What to write to make the machine sleep so deep that it is off. */
static bool sleep_types(const struct acpi_fadt *fadt, uint8_t type[2])
{
	struct acpi_table dsdt;
	uint8_t aml[20];
	if (!acpi_dsdt(fadt, &dsdt))
		return false;
	for (uint32_t at = sizeof fadt->header; at < dsdt.length; at++) {
		size_t n = dsdt.length - at < sizeof aml ? dsdt.length - at : sizeof aml;

		memset(aml, 0, sizeof aml);
		if (physical_read(aml, dsdt.address + at, n) && aml_s5(aml, n, type))
			return true;
	}
	return false;
}

/* False where the register is in no space that can be written here. */
static bool register_write(const struct acpi_address *a, uint8_t value)
{
	if (a->space == ACPI_PORT && acpi_address(a)) {
		outb((uint16_t)a->low, value);
		return true;
	}
	if (a->space != ACPI_MEMORY || !acpi_address(a))
		return false;
	volatile uint8_t *reg = device_map(acpi_address(a), 1, PAGE_UNCACHED);
	if (reg)
		*reg = value;
	return reg;
}

/* ACPI 4.8.3.7 */
#define REDUCED_SLEEP_TYPE 2 /* shift */
#define REDUCED_SLEEP      (1u << 5)

/* ACPI 4.8.3.2.1 */
#define CONTROL_SCI_ENABLED (1u << 0)
#define CONTROL_SLEEP_TYPE  10 /* shift */
#define CONTROL_SLEEP       (1u << 13)

static uint16_t control_port(const struct acpi_address *wide, uint32_t narrow)
{
	if (wide->space == ACPI_PORT && acpi_address(wide))
		return (uint16_t)wide->low;
	return (uint16_t)narrow;
}

/* What else is in the register stays as it is; the type comes before the order. */
static void control_write(uint16_t port, uint8_t type)
{
	unsigned other = inw(port) & ~(7u << CONTROL_SLEEP_TYPE | CONTROL_SLEEP);

	other |= (unsigned)type << CONTROL_SLEEP_TYPE;
	outw(port, (uint16_t)other);
	outw(port, (uint16_t)(other | CONTROL_SLEEP));
}

static void power_off_acpi(void)
{
	struct acpi_fadt fadt;
	uint8_t type[2];
	if (!acpi_fadt(&fadt) || !sleep_types(&fadt, type))
		return;
	if (fadt.flags & FADT_HARDWARE_REDUCED) {
		register_write(&fadt.sleep_control,
			       (uint8_t)(type[0] << REDUCED_SLEEP_TYPE | REDUCED_SLEEP));
		linger();
		return;
	}
	uint16_t a = control_port(&fadt.control[0], fadt.pm1a_control);
	uint16_t b = control_port(&fadt.control[1], fadt.pm1b_control);
	if (!a)
		return;
	if (fadt.smi_command && fadt.acpi_enable && !(inw(a) & CONTROL_SCI_ENABLED)) {
		outb((uint16_t)fadt.smi_command, fadt.acpi_enable);
		linger();
	}
	control_write(a, type[0]);
	if (b)
		control_write(b, type[1]);
	linger();
}

/* Emulators without ACPI tables: the same register at its usual addresses, and Bochs'
 * own port. */
static void power_off_emulator(void)
{
	if (!machine_identity()->emulator && !qemu_is_here())
		return;
	outw(0x604, CONTROL_SLEEP);
	outw(0xb004, CONTROL_SLEEP);
	for (const char *c = "Shutdown"; *c; c++)
		outb(0x8900, (uint8_t)*c);
	linger();
}

static void power_off(void)
{
	power_off_acpi();
	power_off_emulator();
}

/* ------------------------------------------------------------ reboot */

static void reboot_acpi(void)
{
	struct acpi_fadt fadt;
	if (!acpi_fadt(&fadt) || !(fadt.flags & FADT_RESET_SUPPORTED) ||
	    fadt.header.length <= offsetof(struct acpi_fadt, reset_value))
		return;
	if (register_write(&fadt.reset, fadt.reset_value))
		linger();
}

#define RESET_CONTROL 0xcf9
#define RESET_HARD    0x02
#define RESET_NOW     0x04

static void reboot_chipset(void)
{
	outb(RESET_CONTROL, RESET_HARD);
	outb(RESET_CONTROL, RESET_HARD | RESET_NOW);
	linger();
}

#define KEYBOARD_COMMAND 0x64
#define KEYBOARD_BUSY    0x02
#define KEYBOARD_RESET   0xfe

static void reboot_keyboard(void)
{
	for (unsigned i = 0; i < 100000 && inb(KEYBOARD_COMMAND) & KEYBOARD_BUSY; i++)
		;
	outb(KEYBOARD_COMMAND, KEYBOARD_RESET);
	linger();
}

/* No vector to go to, nor one for that, nor one for that. */
static void reboot_triple_fault(void)
{
	static const struct {
		uint16_t limit;
		uint8_t base[8];
	} none = { 0 };
	__asm__ volatile("lidt %0\n\tint3" : : "m"(none));
}

static _Noreturn void reboot(void)
{
	reboot_acpi();
	reboot_chipset();
	reboot_keyboard();
	reboot_triple_fault();
	halt();
}

/* ------------------------------------------------------------ the choice */

_Noreturn void end_run(bool passed)
{
	static bool shown;

	watchdog_end();
	kept_end();
	if (end == END_DEFAULT)
		end = exit_is_possible() ? END_EXIT : END_HALT;
	if (end == END_REBOOT)
		reboot();
	if (end == END_EXIT)
		exit_emulator(passed);
	if (end == END_EXIT || end == END_OFF)
		power_off();
	if (end == END_HALT && !shown) {
		shown = true; /* a fault in there ends here again */
		viewer_run();
	}
	halt();
}
