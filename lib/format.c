/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/format.h"

#include "lib/string.h"

#include <stdbool.h>

#define DIGITS_MAX 20 /* of 2^64 in decimal */

struct output {
	char *to;
	size_t size;
	size_t length; /* of the whole text, written or not */
};

struct field {
	bool left, zero;
	int width, precision; /* precision < 0: none given */
	char length;          /* 'l', 'L' for ll, 'z', or 0 */
};

static void put(struct output *out, char c)
{
	if (out->length + 1 < out->size)
		out->to[out->length] = c;
	out->length++;
}

static void put_padding(struct output *out, char c, int count)
{
	while (count-- > 0)
		put(out, c);
}

static void put_text(struct output *out, const struct field *f, const char *text, int length)
{
	if (!f->left)
		put_padding(out, ' ', f->width - length);
	for (int i = 0; i < length; i++)
		put(out, text[i]);
	if (f->left)
		put_padding(out, ' ', f->width - length);
}

static void put_string(struct output *out, const struct field *f, const char *s)
{
	int length = 0;

	if (!s)
		s = "(null)";
	while ((f->precision < 0 || length < f->precision) && s[length])
		length++;
	put_text(out, f, s, length);
}

/* `sign` is "-", "0x" or "". */
static void put_number(struct output *out, const struct field *f, const char *sign,
		       unsigned long long value, unsigned base, const char *digits)
{
	char text[DIGITS_MAX];
	int n = 0, signs = (int)strlen(sign), zeros;

	do
		text[n++] = digits[value % base];
	while ((value /= base));
	zeros = f->precision - n;
	if (f->zero && !f->left && f->precision < 0)
		zeros = f->width - signs - n;
	if (zeros < 0)
		zeros = 0;
	if (!f->left)
		put_padding(out, ' ', f->width - signs - zeros - n);
	for (; *sign; sign++)
		put(out, *sign);
	put_padding(out, '0', zeros);
	for (int i = n; i-- > 0;)
		put(out, text[i]);
	if (f->left)
		put_padding(out, ' ', f->width - signs - zeros - n);
}

static const char *parse_number(const char *fmt, int *value)
{
	for (*value = 0; *fmt >= '0' && *fmt <= '9'; fmt++)
		*value = *value * 10 + (*fmt - '0');
	return fmt;
}

struct arguments {
	va_list list; /* in a structure, because a va_list may be an array */
};

static const char *parse_field(const char *fmt, struct field *f, struct arguments *args)
{
	*f = (struct field){ .precision = -1 };
	for (;; fmt++) {
		if (*fmt == '-')
			f->left = true;
		else if (*fmt == '0')
			f->zero = true;
		else
			break;
	}
	if (*fmt == '*') {
		f->width = va_arg(args->list, int);
		fmt++;
	} else {
		fmt = parse_number(fmt, &f->width);
	}
	if (f->width < 0) {
		f->left = true;
		f->width = -f->width;
	}
	if (*fmt == '.') {
		fmt++;
		if (*fmt == '*') {
			f->precision = va_arg(args->list, int);
			fmt++;
		} else {
			fmt = parse_number(fmt, &f->precision);
		}
	}
	if (*fmt == 'l' || *fmt == 'z')
		f->length = *fmt++;
	if (f->length == 'l' && *fmt == 'l') {
		f->length = 'L';
		fmt++;
	}
	return fmt;
}

static long long signed_argument(struct arguments *args, char length)
{
	switch (length) {
	case 'l':
		return va_arg(args->list, long);
	case 'L':
		return va_arg(args->list, long long);
	case 'z':
		return va_arg(args->list, ptrdiff_t);
	default:
		return va_arg(args->list, int);
	}
}

static unsigned long long unsigned_argument(struct arguments *args, char length)
{
	switch (length) {
	case 'l':
		return va_arg(args->list, unsigned long);
	case 'L':
		return va_arg(args->list, unsigned long long);
	case 'z':
		return va_arg(args->list, size_t);
	default:
		return va_arg(args->list, unsigned);
	}
}

static void put_conversion(struct output *out, char conversion, const struct field *f,
			   struct arguments *args)
{
	static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
	long long value;
	char c;

	switch (conversion) {
	case 'd':
		value = signed_argument(args, f->length);
		put_number(out, f, value < 0 ? "-" : "",
			   value < 0 ? -(unsigned long long)value : (unsigned long long)value, 10,
			   lower);
		break;
	case 'u':
		put_number(out, f, "", unsigned_argument(args, f->length), 10, lower);
		break;
	case 'x':
		put_number(out, f, "", unsigned_argument(args, f->length), 16, lower);
		break;
	case 'X':
		put_number(out, f, "", unsigned_argument(args, f->length), 16, upper);
		break;
	case 'p':
		put_number(out, f, "0x", (uintptr_t)va_arg(args->list, void *), 16, lower);
		break;
	case 's':
		put_string(out, f, va_arg(args->list, const char *));
		break;
	case 'c':
		c = (char)va_arg(args->list, int);
		put_text(out, f, &c, 1);
		break;
	default: /* '%', and what the compiler's format check lets nobody write */
		put(out, conversion);
	}
}

int vformat(char *to, size_t size, const char *fmt, va_list args)
{
	struct output out = { to, size, 0 };
	struct arguments list;
	struct field f;

	va_copy(list.list, args);
	while (*fmt) {
		if (*fmt != '%') {
			put(&out, *fmt++);
			continue;
		}
		fmt = parse_field(fmt + 1, &f, &list);
		if (!*fmt)
			break;
		put_conversion(&out, *fmt++, &f, &list);
	}
	va_end(list.list);
	if (size)
		to[out.length < size ? out.length : size - 1] = '\0';
	return (int)out.length;
}

int format(char *to, size_t size, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vformat(to, size, fmt, args);
	va_end(args);
	return length;
}

struct fixed_text fixed(uint64_t thousandths, unsigned decimals)
{
	static const uint32_t unit[] = { 1000, 100, 10, 1 };
	struct fixed_text out;
	uint64_t rounded, scale;

	if (decimals > 3)
		decimals = 3;
	/* Half a unit is added to the remainder alone: the whole may be near 2^64. */
	rounded = thousandths / unit[decimals] +
		  (thousandths % unit[decimals] * 2 >= unit[decimals] && decimals < 3);
	scale = 1000 / unit[decimals];
	if (decimals == 0)
		format(out.text, sizeof(out.text), "%llu", (unsigned long long)rounded);
	else
		format(out.text, sizeof(out.text), "%llu.%0*llu",
		       (unsigned long long)(rounded / scale), (int)decimals,
		       (unsigned long long)(rounded % scale));
	return out;
}
