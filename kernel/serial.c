/* SPDX-License-Identifier: BSD-2-Clause */
/* Which serial port the record goes to, and what others there are. */
#include "kernel/serial.h"

#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/kernel.h"
#include "kernel/uart.h"
#include "lib/format.h"
#include "lib/option.h"
#include "lib/string.h"

/* A working port has sent the last character within 33 ms, at 300 baud; where it is another
 * program's, that one may be held up. */
#define WAIT_MS         100u
#define WAIT_VIRTUAL_MS 10000u

static enum { COM_AUTO, COM_NONE, COM_GIVEN } com_kind = COM_AUTO;
static struct uart_place com_place;

static struct uart out; /* where the record goes */
static bool present;    /* `out` is there */
static bool stalled;    /* and did not take the last character */
static unsigned wait_ms = WAIT_MS;

/* ------------------------------------------------------------ com= */

/* "ADDRESS[,BAUD]" */
static bool set_address(const char *value, struct uart_place place)
{
	char address[24];
	const char *comma = strchr(value, ',');
	size_t length = comma ? (size_t)(comma - value) : strlen(value);
	unsigned long long number, baud = place.baud;

	if (length >= sizeof address)
		return false;
	memcpy(address, value, length);
	address[length] = 0;
	if (!option_number(address, &number) || number == 0 || (!place.memory && number > 0xfff8))
		return false;
	if (comma &&
	    (!option_number(comma + 1, &baud) || baud == 0 || baud > BAUD_BASE || BAUD_BASE % baud))
		return false;
	place.address = number;
	place.baud = (uint32_t)baud;
	com_place = place;
	com_kind = COM_GIVEN;
	return true;
}

static bool set_com(const char *value)
{
	static const struct {
		const char *prefix;
		uint8_t bytes;
	} memory[] = { { "mmio,", 1 }, { "mmio8,", 1 }, { "mmio16,", 2 }, { "mmio32,", 4 } };

	if (!strcmp(value, "auto") || !strcmp(value, "none")) {
		com_kind = value[0] == 'a' ? COM_AUTO : COM_NONE;
		return true;
	}
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		size_t n = strlen(memory[i].prefix);

		if (!strncmp(value, memory[i].prefix, n))
			return set_address(value + n,
					   (struct uart_place){ .memory = true,
								.stride = memory[i].bytes,
								.width = memory[i].bytes });
	}
	return set_address(value,
			   (struct uart_place){ .stride = 1, .width = 1, .baud = BAUD_BASE });
}
OPTION(com, "auto|none|PORT[,BAUD]|mmio8|16|32,ADDR[,BAUD]", "serial port of the record", set_com);

/* ------------------------------------------------------------ which one */

#define FOUND_MAX 6u

static struct uart_place found[FOUND_MAX]; /* that answer, but for `out` */
static unsigned found_count;

static bool is_same(const struct uart_place *a, const struct uart_place *b)
{
	return a->address == b->address && a->memory == b->memory;
}

static bool is_known(const struct uart_place *place)
{
	for (unsigned i = 0; i < found_count; i++)
		if (is_same(&found[i], place))
			return true;
	return present && is_same(&out.place, place);
}

/* Writes the record there, if there is a UART and it works, and nothing better was found;
 * or keeps in mind that there is one. */
static void consider(const struct uart_place *place)
{
	struct uart uart;

	if (is_known(place) || !uart_find(place, &uart))
		return;
	if (!present && uart_open(&uart)) {
		out = uart;
		present = true;
	} else if (found_count < FOUND_MAX) {
		found[found_count++] = *place;
	}
}

static void consider_legacy(void)
{
	static const uint16_t ports[] = { 0x3f8, 0x2f8, 0x3e8, 0x2e8 };

	for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
		consider(&(struct uart_place){
			.address = ports[i], .stride = 1, .width = 1, .baud = BAUD_BASE });
}

/* The firmware's own console comes first, then the ports that a PC may have, then those
 * that have to be looked for; and these too where com= names none, lest the run be blind. */
void serial_early(void)
{
	struct uart_place place;

	if (com_kind == COM_GIVEN && !com_place.memory)
		consider(&com_place);
	if (com_kind != COM_AUTO)
		return;
	bool told = uart_in_tables(0, &place);
	if (told && place.memory)
		return; /* serial_start() can reach it */
	if (told)
		consider(&place);
	consider_legacy();
}

void serial_start(void)
{
	struct uart_place place;

	if (is_virtual())
		wait_ms = WAIT_VIRTUAL_MS;
	if (com_kind == COM_NONE)
		return;
	if (com_kind == COM_GIVEN && com_place.memory)
		consider(&com_place);
	for (unsigned i = 0; uart_in_tables(i, &place); i++)
		consider(&place);
	consider_legacy();
	for (unsigned i = 0; uart_on_pci(i, &place); i++)
		consider(&place);
}

/* ------------------------------------------------------------ what was found */

/* As com= takes it. */
static int describe(char *text, size_t size, const struct uart_place *place)
{
	unsigned long long address = place->address;
	int n = place->memory ? format(text, size, " mmio%u,0x%llx", 8u * place->stride, address)
			      : format(text, size, " 0x%llx", address);

	if (place->baud && (size_t)n < size)
		n += format(text + n, size - (size_t)n, ",%u", place->baud);
	return n;
}

const char *serial_text(void)
{
	static char text[232];
	size_t n = 0;

	if (com_kind == COM_NONE)
		return NULL;
	if (present)
		n += (size_t)describe(text, sizeof text, &out.place);
	else
		n += (size_t)format(text, sizeof text, " none");
	if (com_kind == COM_GIVEN && !(present && is_same(&out.place, &com_place)))
		n += (size_t)format(text + n, sizeof text - n, " (nothing answers at com=)");
	if (found_count)
		n += (size_t)format(text + n, sizeof text - n, "; also");
	for (unsigned i = 0; i < found_count && n < sizeof text; i++)
		n += (size_t)describe(text + n, sizeof text - n, &found[i]);
	return text + 1;
}

/* ------------------------------------------------------------ writing */

/* A port that has stalled is not waited for again, only looked at. */
static bool uart_put(char c)
{
	stalled = !uart_ready(&out, stalled ? 0 : wait_ms);
	if (!stalled)
		uart_send(&out, c);
	return !stalled;
}

void serial_write_line(const char *text, size_t length)
{
	size_t i = 0;

	if (!present)
		return;
	while (i < length && uart_put(text[i]))
		i++;
	if (i == length && uart_put('\r'))
		uart_put('\n');
}
