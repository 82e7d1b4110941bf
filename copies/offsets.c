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
OFFSET(COPY_PARAMS_FPU_BEGIN, struct copy_params, fpu_begin)
OFFSET(COPY_PARAMS_FPU_END, struct copy_params, fpu_end)
OFFSET(COPY_PARAMS_SELECT, struct copy_params, select)
OFFSET(COPY_PARAMS_SELECT_CSUM, struct copy_params, select_csum)
CONSTANT(COPY_SIZE_CLASSES, COPY_SIZE_CLASSES)
CONSTANT(COPY_KIND_plain, FORM_PLAIN)
CONSTANT(COPY_KIND_to_user, FORM_TO_USER)
CONSTANT(COPY_KIND_from_user, FORM_FROM_USER)
CONSTANT(COPY_KIND_from_user_zero, FORM_FROM_USER_ZERO)
CONSTANT(COPY_KIND_in_user, FORM_IN_USER)
OFFSETS_END
