/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/option.h"

#include "lib/format.h"
#include "lib/string.h"

#define TEXT_MAX 1024

/* The words, each ended by NUL: set() may keep the value it was given. */
static char words[TEXT_MAX];
static char text[TEXT_MAX];
static struct option_problem problems[OPTION_PROBLEMS_MAX];
static size_t problem_count;

static void problem(enum option_error what, const char *word, const struct option *option)
{
	struct option_problem *p;

	if (problem_count < OPTION_PROBLEMS_MAX) {
		p = &problems[problem_count];
		p->what = what;
		p->option = option;
		format(p->word, sizeof(p->word), "%s", word);
	}
	problem_count++;
}

static const struct option *find(const char *name, size_t length)
{
	for (const struct option *o = __start_options; o < __stop_options; o++)
		if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
			return o;
	return NULL;
}

static void parse_word(const char *word)
{
	const char *equals = strchr(word, '=');
	const struct option *option;

	if (!equals) {
		problem(OPTION_NOT_KEY_VALUE, word, NULL);
		return;
	}
	option = find(word, (size_t)(equals - word));
	if (!option)
		problem(OPTION_UNKNOWN, word, NULL);
	else if (!option->set(equals + 1))
		problem(OPTION_BAD_VALUE, word, option);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void options_parse(const char *command_line)
{
	size_t used = 0;

	problem_count = 0;
	for (const char *c = command_line; *c;) {
		size_t length = 0;

		if (is_space(*c)) {
			c++;
			continue;
		}
		while (c[length] && !is_space(c[length]))
			length++;
		if (used + length + 1 > TEXT_MAX) {
			problem(OPTION_TOO_LONG, c, NULL);
			break;
		}
		memcpy(words + used, c, length);
		words[used + length] = '\0';
		memcpy(text + used, c, length);
		text[used + length] = ' ';
		parse_word(words + used);
		used += length + 1;
		c += length;
	}
	text[used ? used - 1 : 0] = '\0';
}

size_t options_problems(const struct option_problem **list)
{
	*list = problems;
	return problem_count;
}

const char *options_text(void)
{
	return text;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static unsigned suffix_shift(char c)
{
	switch (c) {
	case 'k':
	case 'K':
		return 10;
	case 'm':
	case 'M':
		return 20;
	case 'g':
	case 'G':
		return 30;
	default:
		return 0;
	}
}

bool option_number(const char *s, unsigned long long *value)
{
	const unsigned long long most = ~0ull;
	unsigned long long v = 0;
	int base = 10;
	const char *start;
	unsigned shift;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	for (start = s; digit_of(*s) < base; s++) {
		if (v > (most - (unsigned)digit_of(*s)) / (unsigned)base)
			return false;
		v = v * (unsigned)base + (unsigned)digit_of(*s);
	}
	if (s == start)
		return false;
	shift = suffix_shift(*s);
	if (shift)
		s++;
	if (*s || v > most >> shift)
		return false;
	*value = v << shift;
	return true;
}

bool option_on_off(const char *s, bool *value)
{
	*value = strcmp(s, "on") == 0;
	return *value || strcmp(s, "off") == 0;
}

bool option_item(const char **rest, const char **item, size_t *length)
{
	const char *comma;

	*item = *rest;
	if (!*item)
		return false;
	comma = strchr(*item, ',');
	*length = comma ? (size_t)(comma - *item) : strlen(*item);
	*rest = comma ? comma + 1 : NULL;
	return true;
}
