/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes kernel/i386/offsets.inc of it (lib/offsets.h). */
#include "lib/offsets.h"
#include "kernel/arch.h"

OFFSETS_BEGIN
OFFSET(FRAME_SP, struct trap_frame, sp)
OFFSET(FRAME_DI, struct trap_frame, di)
OFFSET(FRAME_VECTOR, struct trap_frame, vector)
OFFSET(FRAME_IP, struct trap_frame, ip)
OFFSET(FRAME_CS, struct trap_frame, cs)
OFFSET(FRAME_FLAGS, struct trap_frame, flags)
OFFSET(FRAME_USER_SP, struct trap_frame, user_sp)
OFFSETS_END
