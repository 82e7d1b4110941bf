/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * key=value options, each declared where it is used:
 *
 *	static bool set_seed(const char *value) { ... }
 *	OPTION(seed, "N", "seed of every random choice", set_seed);
 *
 * set() is called once for each time the option is given, with the text after
 * '=', which stays valid for the whole run; false means that the value is
 * refused: the option keeps what it had.
 */
#ifndef LIB_OPTION_H
#define LIB_OPTION_H

#include <stdbool.h>
#include <stddef.h>

struct option {
	const char *name;
	const char *values; /* for the help: "on|off", "N" */
	const char *help;
	bool (*set)(const char *value);
};

extern const struct option __start_options[], __stop_options[];

#define OPTION_NAME_MAX 15

#define OPTION(opt_name, opt_values, opt_help, opt_set)                                            \
	_Static_assert(sizeof(#opt_name) <= OPTION_NAME_MAX + 1,                                   \
		       "option name too long for the help's column");                              \
	static const struct option option_##opt_name __attribute__((                               \
		used, section("options"), aligned(sizeof(void *)))) = { #opt_name, opt_values,     \
									opt_help, opt_set }

enum option_error {
	OPTION_UNKNOWN,
	OPTION_BAD_VALUE,
	OPTION_NOT_KEY_VALUE,
	OPTION_TOO_LONG /* the line is longer than 1 KiB: this word and all after it are left out */
};

struct option_problem {
	enum option_error what;
	char word[80];               /* the word as it was given, shortened if need be */
	const struct option *option; /* for OPTION_BAD_VALUE */
};

#define OPTION_PROBLEMS_MAX 16

/*
 * Parses the words of a command line (the loader's, without the program name).
 * Problems are kept, up to OPTION_PROBLEMS_MAX and their full count, for the
 * record to print. Words without '=' are OPTION_NOT_KEY_VALUE.
 */
void options_parse(const char *command_line);
size_t options_problems(const struct option_problem **problems);

/* The words as given, separated by single spaces: the record's META args. */
const char *options_text(void);

/* Values: whole numbers, decimal or 0x, with an optional k, M or G (1024). */
bool option_number(const char *text, unsigned long long *value);
bool option_on_off(const char *text, bool *value); /* on a refusal *value is false */

/* A value that is a list: what stands before the next comma, as *item of *length characters,
 * and *rest after it. False where *rest is NULL: nothing is left. */
bool option_item(const char **rest, const char **item, size_t *length);

#endif
