/* SPDX-License-Identifier: BSD-2-Clause */
/* By PCI's first configuration mechanism, which every PC has (PCI 2.3, 3.2.2.3). */
#include "kernel/cpu.h"
#include "kernel/uart.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  (1u << 31)

#define REGISTER_ID      0x00
#define REGISTER_COMMAND 0x04
#define REGISTER_CLASS   0x08
#define REGISTER_HEADER  0x0c
#define REGISTER_BAR0    0x10

#define COMMAND_IO     (1u << 0)
#define COMMAND_MEMORY (1u << 1)
#define HEADER_MULTI   (1u << 23)
#define HEADER_TYPE    (0x7fu << 16)

/* Simple communication controller: serial, 8250 to 16950; or with several ports. */
#define CLASS_SERIAL  0x0700
#define CLASS_SEVERAL 0x0702

#define BUSES     256u
#define DEVICES   32u
#define FUNCTIONS 8u
#define UARTS_MAX 4u
#define PORT_MAX  0xfff8u

static struct uart_place found[UARTS_MAX];
static unsigned count;
static bool searched;

static uint32_t config_read(uint32_t function, uint8_t reg)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE | function << 8 | reg);
	return inl(CONFIG_DATA);
}

static void config_write(uint32_t function, uint8_t reg, uint32_t value)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE | function << 8 | reg);
	outl(CONFIG_DATA, value);
}

/* The first base address that the firmware gave it. The status half of the command's
 * register clears the bits that are written as 1. */
static void keep(uint32_t function)
{
	uint32_t bar = config_read(function, REGISTER_BAR0);
	bool memory = !(bar & 1);
	uint64_t high = memory && (bar & 6) == 4 ? config_read(function, REGISTER_BAR0 + 4) : 0;
	uint64_t address = memory ? high << 32 | (bar & ~15u) : bar & ~3u;
	uint32_t command = config_read(function, REGISTER_COMMAND) & 0xffff;

	if (!address || (!memory && address > PORT_MAX) || count == UARTS_MAX)
		return;
	config_write(function, REGISTER_COMMAND, command | (memory ? COMMAND_MEMORY : COMMAND_IO));
	found[count++] = (struct uart_place){
		.address = address, .memory = memory, .stride = 1, .width = 1, .baud = 115200
	};
}

static void search(void)
{
	searched = true;
	outl(CONFIG_ADDRESS, CONFIG_ENABLE);
	if (inl(CONFIG_ADDRESS) != CONFIG_ENABLE)
		return;
	for (uint32_t device = 0; device < BUSES * DEVICES; device++) {
		uint32_t first = device * FUNCTIONS, functions;

		if ((config_read(first, REGISTER_ID) & 0xffff) == 0xffff)
			continue;
		functions = config_read(first, REGISTER_HEADER) & HEADER_MULTI ? FUNCTIONS : 1;
		for (uint32_t f = first; f < first + functions; f++) {
			uint32_t kind = config_read(f, REGISTER_CLASS) >> 16;

			if ((kind == CLASS_SERIAL || kind == CLASS_SEVERAL) &&
			    !(config_read(f, REGISTER_HEADER) & HEADER_TYPE))
				keep(f);
		}
	}
}

bool uart_on_pci(unsigned index, struct uart_place *place)
{
	if (!searched)
		search();
	if (index >= count)
		return false;
	*place = found[index];
	return true;
}
