/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes lib/offsets.inc of it (lib/offsets.h). */
#include "lib/call.h"
#include "lib/offsets.h"

OFFSETS_BEGIN
OFFSET(CALL_ENTRY, struct protected_call, entry)
OFFSET(CALL_TO, struct protected_call, to)
OFFSET(CALL_FROM, struct protected_call, from)
OFFSET(CALL_N, struct protected_call, n)
OFFSET(CALL_RESULT, struct protected_call, result)
OFFSET(CALL_FLAGS, struct protected_call, flags)
OFFSET(CALL_SAVED_REGISTERS, struct protected_call, saved)
OFFSET(CALL_SP, struct protected_call, sp)
OFFSET(CALL_SP_AFTER, struct protected_call, sp_after)
OFFSET(CALL_RETURNED, struct protected_call, returned)
OFFSETS_END
