/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes lib/offsets.inc of it (lib/offsets.h). */
#include "lib/offsets.h"
#include "lib/call.h"
#include "lib/fpustate.h"
#include "lib/probe.h"
#include "lib/stream.h"

OFFSETS_BEGIN
OFFSET(CALL_ENTRY, struct protected_call, entry)
OFFSET(CALL_TO, struct protected_call, to)
OFFSET(CALL_FROM, struct protected_call, from)
OFFSET(CALL_N, struct protected_call, n)
OFFSET(CALL_RESULT, struct protected_call, result)
OFFSET(CALL_SECOND, struct protected_call, second)
OFFSET(CALL_FLAGS, struct protected_call, flags)
OFFSET(CALL_SAVED_REGISTERS, struct protected_call, saved)
OFFSET(CALL_SP, struct protected_call, sp)
OFFSET(CALL_SP_AFTER, struct protected_call, sp_after)
OFFSET(CALL_RETURNED, struct protected_call, returned)
OFFSET(CALL_FPU_BEFORE, struct protected_call, fpu_before)
OFFSET(CALL_FPU_AFTER, struct protected_call, fpu_after)
OFFSET(CALL_FPU_HOW, struct protected_call, fpu_how)
OFFSET(CALL_FPU_MASK, struct protected_call, fpu_mask)
CONSTANT(FPU_BY_FXSAVE, SAVE_FXSAVE)
CONSTANT(CALL_PATTERN_0, CALL_PATTERN(0))
CONSTANT(CALL_PATTERN_1, CALL_PATTERN(1))
CONSTANT(CALL_PATTERN_2, CALL_PATTERN(2))
CONSTANT(CALL_PATTERN_3, CALL_PATTERN(3))
CONSTANT(CALL_PATTERN_4, CALL_PATTERN(4))
CONSTANT(CALL_PATTERN_5, CALL_PATTERN(5))
CONSTANT(BRACKET_WITH_LFENCE, BRACKET_LFENCE)
CONSTANT(PROBE_LENGTH, PROBE_LENGTH)
CONSTANT(PROBE_MOVES, PROBE_MOVES)
CONSTANT(STREAM_UNIT, STREAM_UNIT)
OFFSETS_END
