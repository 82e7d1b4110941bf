/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations as copies/copy.inc emits them, sound ones and others. */
#include "suite/registry.h"

#include "lib/option.h"
#include "suite/identity.h"
#include "suite/record.h"
#include "tests/unit/cpuid.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <string.h>

#define TEXT(string)                                                                               \
	".pushsection .rodata.copy_strings, \"a\", @progbits\n"                                    \
	"7: .asciz \"" string "\"\n"                                                               \
	".popsection\n"                                                                            \
	".long 7b - .\n"

#define ROUTINE(label, name, needs, uses, widths)                                                  \
	".pushsection copy_routines, \"a\", @progbits\n"                                           \
	".balign 4\n" #label ":\n" TEXT(name) TEXT("a title") TEXT(needs)                          \
		TEXT(uses) ".long " #widths "\n" TEXT("a source") ".popsection\n"

#define FORM(label, kind, claims, from, to, minimum, alignment)                                    \
	".pushsection copy_forms, \"a\", @progbits\n"                                              \
	".balign 4\n"                                                                              \
	".long " #label " - .\n"                                                                   \
	".long " #from " - .\n"                                                                    \
	".long " #to " - .\n" TEXT(kind) TEXT(claims) ".long " #minimum ", " #alignment "\n"       \
						      ".popsection\n"

#define LAYOUT(label, at, shift)                                                                   \
	".pushsection copy_layouts, \"a\", @progbits\n"                                            \
	".balign 4\n"                                                                              \
	".long " #label " - .\n"                                                                   \
	".long " #at " - .\n"                                                                      \
	".long " #shift "\n"                                                                       \
	".popsection\n"

__asm__(".text\n"
	"code_start: ret\n"
	"code_end:\n" ROUTINE(zebra, "zebra", "", "",
			      32 | 64) ROUTINE(wide, "wide_nt", "sse avx512f", "zmm opmask",
					       64) ROUTINE(narrow, "narrow", "", "x87", 32)
		ROUTINE(mixed, "mixed", "mmxext|sse", "mmx",
			32 | 64) ROUTINE(misspelt, "misspelt", "sse9", "",
					 32 | 64) ROUTINE(paint, "paint", "", "xmm paint", 32 | 64)
			ROUTINE(twice, "twice", "", "", 32 | 64) ROUTINE(again, "twice", "", "",
									 32 | 64)
				FORM(zebra, "to_user", "safe", code_start, code_end,
				     0, 1) FORM(zebra, "plain", "literal", code_start, code_end, 64,
						16) FORM(wide, "plain", "nt literal", code_start,
							 code_end,
							 0, 1) FORM(mixed, "from_user_zero", "safe",
								    code_start, code_end, 0, 1)
					FORM(mixed, "in_usr", "safe", code_start, code_end, 0, 1)
						FORM(mixed, "plain", "sound", code_start, code_end,
						     0, 1) FORM(mixed, "to_user", "safe literal",
								code_start, code_end, 0,
								1) FORM(mixed, "from_user", "safe",
									code_end, code_start, 0, 3)
							FORM(mixed, "from_user_zero", "safe",
							     code_start, code_end,
							     0, 1) FORM(code_start, "plain", "safe",
									code_start, code_end, 0, 1)
								LAYOUT(zebra, code_end, 16));

static const struct routine *routine(const char *name)
{
	const struct routine *list;
	size_t n = registry_routines(&list);

	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	CHECK_TEXT("no such routine", name);
	return list;
}

static void start(const char *options)
{
	static struct cpuid_table table;

	cpuid_table_load(CPUID_FOLDER "/core-skylake.txt", &table);
	machine_table = &table;
	machine_forget();
	options_parse(options);
	record_start();
	identity_start();
	registry_start();
}

TEST(declarations_become_names)
{
	const struct form *forms;
	const struct routine *routines;
	size_t n;

	start("");
	n = registry_routines(&routines);
	CHECK_NUMBER(n, 8);
	for (size_t i = 1; i < n; i++)
		CHECK(strcmp(routines[i - 1].name, routines[i].name) <= 0);
	CHECK_TEXT(routine("zebra")->lacks, "");
	CHECK_TEXT(routine("zebra")->title, "a title");
	CHECK_TEXT(routine("zebra")->source, "a source");
	CHECK_TEXT(routine("wide_nt")->lacks, "needs avx512f");
	CHECK_TEXT(routine("wide_nt")->uses, "zmm opmask");
	CHECK_TEXT(routine("narrow")->lacks, "needs a 32-bit kernel");
	CHECK_TEXT(routine("mixed")->lacks, "");

	n = registry_forms(&forms);
	CHECK_TEXT(forms[n - 1].routine->name, "zebra");
	CHECK_NUMBER(forms[n - 1].kind, FORM_TO_USER);
	CHECK_NUMBER(forms[n - 1].claims, GRADE_SAFE);
	CHECK(form_destination_is_user(&forms[n - 1]) && !form_source_is_user(&forms[n - 1]));
	CHECK_NUMBER(forms[n - 2].kind, FORM_PLAIN);
	CHECK_NUMBER(forms[n - 2].claims, GRADE_LITERAL);
	CHECK_NUMBER(forms[n - 2].minimum, 64);
	CHECK_NUMBER(forms[n - 2].alignment, 16);
	CHECK_NUMBER(forms[n - 2].end - forms[n - 2].entry, 1);
	CHECK(forms[n - 3].nt);
	machine_forget();
}

TEST(layouts_are_the_plain_form_and_its_twins)
{
	uintptr_t entry[REGISTRY_LAYOUTS];

	start("");
	CHECK_NUMBER(registry_layouts(routine("zebra"), entry), 2);
	CHECK_NUMBER(entry[1], entry[0] + 1);
	CHECK_NUMBER(registry_layouts(routine("narrow"), entry), 0);
	machine_forget();
}

TEST(declarations_that_make_no_sense_fail_the_run)
{
	start("");
	CHECK(!registry_sound() && record_failed());
	CHECK(machine_wrote(
		"# registry problem: routine misspelt: needs \"sse9\", which is no known "
		"feature"));
	CHECK(machine_wrote(
		"# registry problem: routine paint: uses \"paint\", which is no FPU state"));
	CHECK(machine_wrote("# registry problem: routine twice is declared twice"));
	CHECK(machine_wrote(
		"# registry problem: routine mixed: form \"in_usr\" is of no known kind"));
	CHECK(machine_wrote(
		"# registry problem: mixed.plain: claims \"sound\", which is no grade"));
	CHECK(machine_wrote("# registry problem: mixed.plain: claims 0 grades, not one"));
	CHECK(machine_wrote("# registry problem: mixed.to_user: claims 2 grades, not one"));
	CHECK(machine_wrote("# registry problem: mixed.from_user: ends before it starts"));
	CHECK(machine_wrote("# registry problem: mixed.from_user: alignment 3 is no power of two"));
	CHECK(machine_wrote("# registry problem: mixed.from_user_zero is declared twice"));
	CHECK(machine_wrote("# registry problem: a form \"plain\" without a routine"));
	machine_forget();
}

TEST(globs_choose_routines)
{
	start("copy=z*,mixe?");
	CHECK(registry_chosen(routine("zebra")));
	CHECK(registry_chosen(routine("mixed")));
	CHECK(!registry_chosen(routine("wide_nt")));
	start("copy=*_n?");
	CHECK(registry_chosen(routine("wide_nt")));
	CHECK(!registry_chosen(routine("zebra")));
	start("copy=mixed?,*zebra*,wide");
	CHECK(!registry_chosen(routine("mixed")));
	CHECK(registry_chosen(routine("zebra")));
	CHECK(!registry_chosen(routine("wide_nt")));
	start("copy=nothing");
	CHECK(machine_wrote(
		"# option error: no routine is named \"nothing\"; list=copies prints them"));
	CHECK(machine_wrote("# option error: copy= names no routine, all are taken"));
	CHECK(registry_chosen(routine("zebra")));
	machine_forget();
	start("copy=zebra,nothing");
	CHECK(machine_wrote(
		"# option error: no routine is named \"nothing\"; list=copies prints them"));
	CHECK(!machine_wrote("# option error: copy= names no routine, all are taken"));
	CHECK(!registry_chosen(routine("mixed")));
	start("copy=*");
	CHECK(registry_chosen(routine("zebra")));
	machine_forget();
}

TEST(meta_lines_of_a_machine)
{
	start("");
	machine_forget();
	identity_print();
	CHECK_TEXT(machine_lines[0], "META cpu: Intel(R) Core(TM) i5-6400T CPU @ 2.20GHz");
	CHECK(machine_wrote("META timing: hardware"));
	CHECK(machine_wrote("META hypervisor: none"));
	CHECK(machine_wrote("META cpu-id: GenuineIntel-6-94-3"));
	CHECK(machine_wrote("META cpus: 4 cores=4 sockets=1 used=1"));
	CHECK(machine_wrote("META tsc-hz: 2100000000 source=hpet cross=pit ppm=12"));
	CHECK(machine_wrote("META tsc-step: 21"));
	CHECK(machine_wrote("META l1d: 32768/8/64"));
	CHECK(machine_wrote("META stlb: 1536/6"));
	CHECK(machine_wrote("META memory-mib: 512"));
	CHECK_NUMBER(machine_line_count, 18);
	machine_forget();
}
