/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/history/history.h"

#include "lib/string.h"

#include <stdint.h>

/* What history.asm emits; each word is relative to itself. */
struct history_file {
	int32_t name, text, end;
};

extern const struct history_file history_files[];

static const char *relative(const int32_t *word)
{
	return (const char *)word + *word;
}

bool history_open(const char *name, struct history *h)
{
	for (const struct history_file *f = history_files; f->name; f++) {
		if (strcmp(relative(&f->name), name) != 0)
			continue;
		h->text = relative(&f->text);
		h->end = relative(&f->end);
		return true;
	}
	return false;
}

static const char *find(const char *text, const char *end, char c)
{
	while (text < end && *text != c)
		text++;
	return text;
}

/* Takes the next line off the front; false where there is none. */
static bool next_line(struct history *rest, struct history *line)
{
	if (rest->text >= rest->end)
		return false;
	line->text = rest->text;
	line->end = find(rest->text, rest->end, '\n');
	rest->text = line->end + 1;
	return true;
}

static struct history_field field(const struct history *line, unsigned number)
{
	const char *begin = line->text;
	for (; number > 0; number--) {
		begin = find(begin, line->end, ',');
		if (begin == line->end)
			return (struct history_field){ begin, 0 };
		begin++;
	}
	return (struct history_field){ begin, (int)(find(begin, line->end, ',') - begin) };
}

static bool is(struct history_field f, const char *text)
{
	return strlen(text) == (size_t)f.length && strncmp(f.text, text, (size_t)f.length) == 0;
}

/* With these fields. */
static bool begins(const struct history *line, const char *fields)
{
	size_t length = strlen(fields), there = (size_t)(line->end - line->text);
	return there >= length && strncmp(line->text, fields, length) == 0 &&
	       (there == length || line->text[length] == ',');
}

static bool column_number(const struct history *names, const char *column, unsigned *number)
{
	for (*number = 0;; ++*number) {
		struct history_field name = field(names, *number);
		if (is(name, column))
			return true;
		if (name.text + name.length >= names->end)
			return false;
	}
}

struct history_field history_get(const struct history *h, const char *row, const char *column)
{
	struct history rest = *h, line, names = { 0 };
	unsigned number = 0;
	while (next_line(&rest, &line)) {
		if (line.text < line.end && *line.text == '#')
			continue;
		if (!names.text) {
			names = line;
			if (!column_number(&names, column, &number))
				break;
		} else if (begins(&line, row)) {
			return field(&line, number);
		}
	}
	return (struct history_field){ "", 0 };
}

struct history_field history_comment(const struct history *h, unsigned i)
{
	struct history rest = *h, line;
	while (next_line(&rest, &line) && line.text + 2 <= line.end && *line.text == '#')
		if (i-- == 0)
			return (struct history_field){ line.text + 2,
						       (int)(line.end - line.text - 2) };
	return (struct history_field){ "", 0 };
}
