/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes kernel/x86_64/offsets.inc of it (lib/offsets.h). */
#include "lib/offsets.h"
#include "kernel/x86_64/frame.h"

OFFSETS_BEGIN
OFFSET(FRAME_VECTOR, struct trap_frame, vector)
OFFSET(FRAME_IP, struct trap_frame, ip)
OFFSET(FRAME_CS, struct trap_frame, cs)
SIZE(FRAME_SIZE, struct trap_frame)
OFFSETS_END
