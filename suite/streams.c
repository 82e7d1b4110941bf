/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/streams.h"

#include "lib/stream.h"
#include "suite/features.h"
#include "suite/identity.h"

typedef size_t stream_function(void *to, const void *from, size_t n);

static const struct width {
	const char *needs;
	stream_function *code[STREAMS];
} widths[] = {
	{ "avx512f", { stream_read_64, stream_write_64 } },
	{ "avx", { stream_read_32, stream_write_32 } },
	{ "sse", { stream_read_16, stream_write_16 } },
};

const struct form *stream_form(enum stream stream)
{
	static const struct routine routines[STREAMS] = { { .name = "loads alone" },
							  { .name = "stores alone" } };
	static struct form form[STREAMS];
	char word[16];
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (features_check(identity_cpuid(), widths[i].needs, word, sizeof(word)) !=
		    NEEDS_MET)
			continue;
		form[stream] = (struct form){ .routine = &routines[stream],
					      .kind = FORM_PLAIN,
					      .minimum = STREAM_UNIT,
					      .alignment = STREAM_UNIT,
					      .entry = (uintptr_t)widths[i].code[stream] };
		return &form[stream];
	}
	return NULL;
}
