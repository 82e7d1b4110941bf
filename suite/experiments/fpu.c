/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Athlon, November 2002: a kernel's copy that uses the FPU must save what some process has
 * there. What each way of saving costs and keeps; from which size on a copy is worth that;
 * and the hole that the thread found: such a copy faults on a page, the handler sleeps, and
 * others use the FPU meanwhile.
 */
#include "suite/fpu.h"
#include "lib/format.h"
#include "lib/fpustate.h"
#include "lib/string.h"
#include "suite/core.h"
#include "suite/experiment.h"
#include "suite/grid.h"
#include "suite/history/history.h"
#include "suite/identity.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/threshold.h"

#define NAME "fpu"

/* ------------------------------------------------------------ ways of saving */

static struct fpu_state areas[SAVE_METHODS];

/* What an operation costs, in thousandths of ticks or, where known, core cycles; 0: no
 * figure. */
static uint64_t cost(size_t (*operation)(void *, const void *, size_t), void *area, size_t method)
{
	struct measured m;
	const char *why;
	if (!measure_hot((uintptr_t)operation, area, NULL, method, &m, &why))
		return 0;
	return m.cycles ? m.cycles : m.ticks;
}

static size_t save_and_restore(void *area, const void *unused, size_t method)
{
	(void)unused;
	fpu_begin_by((enum fpu_method)method, area);
	fpu_end_by((enum fpu_method)method, area);
	return 0;
}

struct way {
	uint64_t idle, busy; /* cost with no register in use, and with all */
};
static struct way ways[SAVE_METHODS];

static struct fixed_text figure(uint64_t thousandths)
{
	return thousandths ? fixed(thousandths, 1) : (struct fixed_text){ "n/a" };
}

struct files_text {
	char text[48];
};

static struct files_text files_text(uint32_t files, const char *none)
{
	static const char *const names[] = { "x87",   "xmm", "ymm",  "opmask", "zmm",
					     "zmm16", "fcw", "tags", "mxcsr" };
	struct files_text t;
	int at = format(t.text, sizeof(t.text), "%s", files ? "" : none);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (files & 1u << i)
			at += format(t.text + at, sizeof(t.text) - (size_t)at, "%s%s",
				     at ? " " : "", names[i]);
	return t;
}

static void try_way(enum fpu_method method)
{
	struct way *way = &ways[method];
	way->idle = cost(save_and_restore, &areas[method], method);
	fpu_use(true);
	way->busy = cost(save_and_restore, &areas[method], method);
	fpu_use(false);
	record_text("%12s %14s %14s   %s", fpu_method_name(method), figure(way->idle).text,
		    figure(way->busy).text, files_text(fpu_method_loses(method), "nothing").text);
}

static void print_lazy(const char *name, uint64_t idle, uint64_t busy)
{
	record_text("%12s %14s %14s   nothing", name, figure(idle).text, figure(busy).text);
}

static void own_fpu(void)
{
	enum fpu_method method = fpu_method_chosen();
	save_and_restore(&areas[method], NULL, method);
}

static size_t give_fpu_up(void *unused, const void *unused2, size_t n)
{
	const char *why;
	(void)unused, (void)unused2, (void)n;
	machine_fpu_lazy(own_fpu, &why);
	return 0;
}

static size_t give_up_and_use(void *unused, const void *unused2, size_t n)
{
	give_fpu_up(unused, unused2, n);
	__asm__ volatile("fnop");
	return 0;
}

/* Whoever does not use the FPU pays for the flag alone, who does for a trap as well. */
static void try_lazy(void)
{
	uint64_t figures[2][2];
	const char *why;
	if (!machine_fpu_lazy(own_fpu, &why)) {
		record_text("%12s n/a: %s", "lazy", why);
		return;
	}
	for (unsigned busy = 0; busy < 2; busy++) {
		fpu_use(busy); /* as any use of it ends the laziness */
		figures[0][busy] = cost(give_fpu_up, NULL, 0);
		__asm__ volatile("fnop");
		figures[1][busy] = cost(give_up_and_use, NULL, 0);
	}
	fpu_use(false);
	print_lazy("lazy, unused", figures[0][0], figures[0][1]);
	print_lazy("lazy, used", figures[1][0], figures[1][1]);
}

static bool try_ways(void)
{
	enum fpu_method chosen = fpu_method_chosen();
	record_text("%s: saving the state, cleaning the FPU and restoring, in %s; timing: %s", NAME,
		    core_known() ? "core cycles" : "ticks", identity_timing_name());
	record_block(SAVE_METHODS + 3);
	record_text("%12s %14s %14s   %s", "way", "none in use", "all in use", "does not keep");
	for (enum fpu_method m = SAVE_FNSAVE; m < SAVE_METHODS; m++) {
		if (fpu_method_lacks(m))
			record_text("%12s n/a: %s", fpu_method_name(m), fpu_method_lacks(m));
		else
			try_way(m);
	}
	try_lazy();
	record_text("%s: the copies named ..._saved use %s", NAME, fpu_method_name(chosen));
	record_lava(fpu_method_loses(chosen) ? LAVA_FAIL : LAVA_PASS,
		    core_known() ? "cycles" : "ticks", ways[chosen].busy, "%s.%s", NAME,
		    fpu_method_name(chosen));
	return fpu_method_loses(chosen) == 0;
}

/* ------------------------------------------------------------ which copies */

static bool is_integer(const struct form *f)
{
	return !f->routine->files && !f->routine->saved && strcmp(f->routine->name, "select") != 0;
}

/* The same copy between saving and restoring; NULL where there is none. */
static const struct form *saved_form(const struct form *f)
{
	const struct form *forms;
	size_t count = registry_forms(&forms), n = strlen(f->routine->name);
	for (size_t i = 0; i < count; i++)
		if (forms[i].kind == f->kind &&
		    strncmp(forms[i].routine->name, f->routine->name, n) == 0 &&
		    strcmp(forms[i].routine->name + n, "_saved") == 0)
			return &forms[i];
	return NULL;
}

static bool runs_here(const struct form *f)
{
	return f->kind == FORM_TO_USER && registry_chosen(f->routine) && !f->routine->lacks[0];
}

/* Under an emulator a few of each kind show that it works. */
static bool is_wanted(const struct form *f)
{
	static const char *const few[] = {
		"rep_movsb",    "int_unrolled",    "k7_movntq",
		"sse2_movdqu4", "k7_movntq_saved", "sse2_movdqu4_saved"
	};
	if (f->csum || f->alignment > 1 || strcmp(f->routine->name, "select") == 0)
		return false;
	if (suite_options()->level != SUITE_QUICK)
		return true;
	for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++)
		if (strcmp(f->routine->name, few[i]) == 0)
			return true;
	return false;
}

/* ------------------------------------------------------------ from which size on */

static const uint32_t sizes[] = { 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384 };
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))
#define HEATS 2u /* hot, and from memory to memory */

static const char *const heat_names[HEATS] = { "hot", "cold" };

static size_t bytes(unsigned point)
{
	return sizes[point % SIZES];
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%u.%s", sizes[point % SIZES], heat_names[point / SIZES]);
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "cache=%s", point / SIZES ? "memory" : "hot");
}

static bool reachable(unsigned point, const char **why)
{
	uint32_t n = sizes[point % SIZES];
	*why = NULL;
	if (suite_options()->level == SUITE_QUICK && n != 256 && n != 1024 && n != 4096)
		return false;
	if (point < SIZES)
		return true;
	if (suite_options()->level == SUITE_STANDARD && n != 1024 && n != 4096 && n != 16384)
		return false; /* each costs as much as ten hot ones */
	return state_reached(LEVEL_MEMORY, n, why);
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	const size_t half = MACHINE_PAGE / 2, n = bytes(point); /* see dst-align */
	const struct state state = {
		.from = { from->base + half, from->alias + half, n, LEVEL_MEMORY, false },
		.to = { to->base, to->alias, n, LEVEL_MEMORY, false },
	};
	memset(to->alias, 0, n);
	bool measured = point < SIZES
				? measure_hot(form->entry, to->base, from->base + half, n, m, why)
				: measure_from(form->entry, &state, m, why);
	return measured && grid_same(to->alias, from->alias + half, n, why);
}

/* Figures at every size. */
struct curve {
	uint64_t at[SIZES];
};

static struct curve curve_of(const struct form *form, unsigned heat, uint64_t added)
{
	struct curve c;
	for (unsigned i = 0; i < SIZES; i++) {
		uint64_t figure = grid_figure(heat * SIZES + i, form);
		c.at[i] = figure ? figure + added : 0;
	}
	return c;
}

static struct curve best_integer(unsigned heat)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	struct curve best = { 0 };
	for (size_t i = 0; i < count; i++) {
		if (!runs_here(&forms[i]) || !is_integer(&forms[i]))
			continue;
		struct curve c = curve_of(&forms[i], heat, 0);
		for (unsigned s = 0; s < SIZES; s++)
			if (c.at[s] && (!best.at[s] || c.at[s] < best.at[s]))
				best.at[s] = c.at[s];
	}
	return best;
}

static struct threshold_text against(const struct curve *integer, const struct curve *c)
{
	return threshold_text(threshold_find(sizes, c->at, integer->at, SIZES));
}

/* Without saving; with the cost of each way added; and as the saved form was measured. */
static void print_thresholds(const struct form *form, unsigned heat, const struct curve *integer)
{
	char line[RECORD_LINE_MAX];
	struct curve c = curve_of(form, heat, 0);
	const struct form *saved = saved_form(form);
	int at = format(line, sizeof(line), "%24s %11s", form->routine->name,
			against(integer, &c).text);
	for (enum fpu_method m = SAVE_FNSAVE; m < SAVE_METHODS; m++) {
		bool keeps = !fpu_method_lacks(m) && ways[m].busy &&
			     !(fpu_method_loses(m) & form->routine->files);
		c = curve_of(form, heat, ways[m].busy);
		at += format(line + at, sizeof(line) - (size_t)at, " %11s",
			     keeps ? against(integer, &c).text : "-");
	}
	c = saved ? curve_of(saved, heat, 0) : (struct curve){ 0 };
	format(line + at, sizeof(line) - (size_t)at, " %11s", against(integer, &c).text);
	record_text("%s", line);
}

static void print_heat(unsigned heat)
{
	char line[RECORD_LINE_MAX];
	const struct form *forms;
	size_t count = registry_forms(&forms);
	struct curve integer = best_integer(heat);
	record_text("%s: bytes from which a copy to user memory is no slower than the best integer "
		    "copy, %s, with each way of saving; -: does not keep its registers, or n/a",
		    NAME, heat_names[heat]);
	int at = format(line, sizeof(line), "%24s %11s", "", "unsaved");
	for (enum fpu_method m = SAVE_FNSAVE; m < SAVE_METHODS; m++)
		at += format(line + at, sizeof(line) - (size_t)at, " %11s", fpu_method_name(m));
	format(line + at, sizeof(line) - (size_t)at, " %11s", "measured");
	record_text("%s", line);
	for (size_t i = 0; i < count; i++)
		if (runs_here(&forms[i]) && is_wanted(&forms[i]) && forms[i].routine->files)
			print_thresholds(&forms[i], heat, &integer);
}

static void print_published(void)
{
	struct history h;
	if (!history_open("2002-k7-fpu", &h))
		return;
	struct history_field source = history_comment(&h, 0),
			     none = history_get(&h, "none", "bytes"),
			     fsave = history_get(&h, "fsave", "bytes");
	record_text("%s: published for the K7 copy: %.*s bytes unsaved, %.*s with fsave and frstor",
		    NAME, none.length, none.text, fsave.length, fsave.text);
	record_text("%.*s", source.length, source.text);
}

static enum experiment_result find_thresholds(void)
{
	static const struct grid grid = {
		.name = NAME,
		.row = "bytes.cache",
		.kind = FORM_TO_USER,
		.wanted = is_wanted,
		.own_summary = true,
		.cell_ms = 10,
		.points = HEATS * SIZES,
		.area_bytes = 16384 + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	enum experiment_result result = grid_run(&grid);
	if (result != EXPERIMENT_DONE)
		return result;
	for (unsigned heat = 0; heat < HEATS; heat++)
		print_heat(heat);
	print_published();
	return EXPERIMENT_DONE;
}

/* ------------------------------------------------------------ the hole */

#define HOLE_PAGES 3u /* all but the first on demand */
#define HOLE_BYTES (HOLE_PAGES * MACHINE_PAGE)

struct holes {
	unsigned broken;    /* copies that were corrupted though the handler kept the state */
	unsigned corrupted; /* ... and since it did not */
	unsigned wrong;     /* integer copies that were */
};

/* How many bytes of the copy are not the source's. */
static size_t copy_over_faults(const struct form *form, struct area *to, const struct area *from,
			       bool keeps, struct outcome *out)
{
	const char *why;
	size_t corrupted = 0;
	memset(to->alias, 0, HOLE_BYTES);
	machine_area_protect(to, MACHINE_PAGE, HOLE_BYTES - MACHINE_PAGE, ACCESS_ON_DEMAND, &why);
	machine_demand_keeps_fpu(keeps);
	machine_call(form->entry, to->base, from->base, HOLE_BYTES, out);
	machine_demand_keeps_fpu(true);
	for (size_t i = 0; i < HOLE_BYTES; i++)
		corrupted += to->alias[i] != from->alias[i];
	return out->returned && out->residue == 0 ? corrupted : HOLE_BYTES;
}

static struct fixed_text data_text(size_t corrupted)
{
	struct fixed_text t = { "intact" };
	if (corrupted)
		format(t.text, sizeof(t.text), "%zu bytes wrong", corrupted);
	return t;
}

static void show_hole(const struct form *form, struct area *to, const struct area *from,
		      struct holes *holes)
{
	struct outcome kept, lost;
	size_t with = copy_over_faults(form, to, from, true, &kept);
	size_t without = copy_over_faults(form, to, from, false, &lost);
	record_text("%24s %16s %16s   %s", form->routine->name, data_text(with).text,
		    data_text(without).text, files_text(kept.fpu, "nothing").text);
	holes->broken += with != 0;
	if (is_integer(form))
		holes->wrong += without != 0;
	else
		holes->corrupted += without != 0;
}

static void show_holes(struct area *to, struct area *from, struct holes *holes)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	for (size_t i = 0; i < from->size; i++)
		from->alias[i] = (uint8_t)(1 + i % 251);
	record_text("%s: a copy of %u bytes to user memory faults on %u pages, and others use the "
		    "FPU meanwhile",
		    NAME, HOLE_BYTES, HOLE_PAGES - 1);
	record_text("%24s %16s %16s   %s", "copy", "handler saves", "handler does not",
		    "the process lost, even so");
	for (size_t i = 0; i < count; i++)
		if (runs_here(&forms[i]) && !forms[i].csum &&
		    (!is_integer(&forms[i]) || is_wanted(&forms[i])))
			show_hole(&forms[i], to, from, holes);
}

static enum experiment_result find_holes(void)
{
	struct holes holes = { 0 };
	struct area to, from;
	const char *why;
	if (!machine_area_map(AREA_USER, ACCESS_READ_WRITE, HOLE_BYTES, &to, &why) ||
	    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, HOLE_BYTES, &from, &why)) {
		record_text("%s: no memory for it: %s", NAME, why);
		return EXPERIMENT_DIED;
	}
	if (machine_area_protect(&to, MACHINE_PAGE, MACHINE_PAGE, ACCESS_ON_DEMAND, &why))
		show_holes(&to, &from, &holes);
	else
		record_text("%s: no pages on demand: %s", NAME, why);
	machine_area_unmap(&to);
	machine_area_unmap(&from);
	record_text("%s: of the copies that use the FPU %u were corrupted without the handler's "
		    "saving, %u with it",
		    NAME, holes.corrupted, holes.broken);
	record_lava(holes.broken || holes.wrong ? LAVA_FAIL : LAVA_PASS, "copies",
		    (uint64_t)holes.corrupted * 1000, "%s.corrupted", NAME);
	return holes.broken || holes.wrong ? EXPERIMENT_DIED : EXPERIMENT_DONE;
}

static enum experiment_result run(void)
{
	bool kept = try_ways();
	enum experiment_result found = find_thresholds(), intact = find_holes();
	if (!kept || found == EXPERIMENT_DIED || intact == EXPERIMENT_DIED)
		return EXPERIMENT_DIED;
	return EXPERIMENT_DONE;
}

EXPERIMENT(fpu, NAME, "saving the FPU's state: its price, what it buys, and the hole in it", 0,
	   run);
