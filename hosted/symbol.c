/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of addresses, from the symbol table of this program's own file. */
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __executable_start[], etext[];
static const Elf64_Sym *symbols;
static size_t symbol_count;
static const char *names;

void symbol_start(void)
{
	struct stat status;
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	const char *elf = MAP_FAILED;
	if (fstat(file, &status) == 0)
		elf = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (elf == MAP_FAILED)
		return;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		symbols = (const Elf64_Sym *)(elf + sections[i].sh_offset);
		symbol_count = sections[i].sh_size / sizeof(*symbols);
		names = elf + sections[sections[i].sh_link].sh_offset;
	}
}

/* NASM's routines are global without a type, C's functions have one; all the rest
 * (labels, data) would only cut names short. */
static bool names_code(const Elf64_Sym *s)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);
	return s->st_shndx != SHN_UNDEF &&
	       (type == STT_FUNC ||
		(type == STT_NOTYPE && ELF64_ST_BIND(s->st_info) == STB_GLOBAL));
}

const char *machine_symbol(uintptr_t ip, uintptr_t *offset)
{
	uintptr_t start = (uintptr_t)__executable_start;
	const Elf64_Sym *best = NULL;
	*offset = 0;
	if (ip < start || ip >= (uintptr_t)etext)
		return NULL;
	for (size_t i = 0; i < symbol_count; i++) {
		const Elf64_Sym *s = &symbols[i];
		if (names_code(s) && start + s->st_value <= ip &&
		    (!best || s->st_value > best->st_value))
			best = s;
	}
	if (!best)
		return NULL;
	*offset = ip - start - best->st_value;
	return names + best->st_name;
}
