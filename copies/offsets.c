/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes copies/offsets.inc of it (lib/offsets.h). */
#include "lib/offsets.h"
#include "copies/params.h"

OFFSETS_BEGIN
OFFSET(COPY_PARAMS_USER_LIMIT, struct copy_params, user_limit)
OFFSET(COPY_PARAMS_L2_BYTES, struct copy_params, l2_bytes)
OFFSET(COPY_PARAMS_POSTFETCH_BYTES, struct copy_params, postfetch_bytes)
OFFSET(COPY_PARAMS_FEMMS, struct copy_params, femms)
OFFSET(COPY_PARAMS_ALIGN_MASK, struct copy_params, align_mask)
OFFSETS_END
