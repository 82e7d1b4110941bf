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
OFFSET(COPY_PARAMS_ERMS, struct copy_params, erms)
OFFSET(COPY_PARAMS_FSRM, struct copy_params, fsrm)
OFFSET(COPY_PARAMS_REP_FROM, struct copy_params, rep_from)
OFFSET(COPY_PARAMS_NT_FROM, struct copy_params, nt_from)
OFFSETS_END
