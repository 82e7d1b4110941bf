/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled to assembly only: the build makes kernel/offsets.inc of it (lib/offsets.h). */
#include "lib/offsets.h"
#include "kernel/cpu.h"
#include "kernel/layout.h"
#include "kernel/smp.h"
#include "kernel/user.h"

OFFSETS_BEGIN
CONSTANT(KERNEL_BASE, KERNEL_BASE)
CONSTANT(DIRECT_BASE, DIRECT_BASE)
CONSTANT(DIRECT_BYTES, DIRECT_BYTES)
CONSTANT(PAGE_SIZE, PAGE_SIZE)
CONSTANT(KERNEL_STACK_SIZE, KERNEL_STACK_SIZE)
CONSTANT(SELECTOR_KERNEL_CODE, SELECTOR_KERNEL_CODE)
CONSTANT(SELECTOR_KERNEL_DATA, SELECTOR_KERNEL_DATA)
CONSTANT(CR0_PG, CR0_PG)
CONSTANT(CR4_PSE, CR4_PSE)
CONSTANT(CR4_PAE, CR4_PAE)
CONSTANT(MSR_EFER, MSR_EFER)
CONSTANT(EFER_LME, EFER_LME)
CONSTANT(SELECTOR_USER_CODE32, SELECTOR_USER_CODE32)
CONSTANT(SELECTOR_USER_DATA, SELECTOR_USER_DATA)
CONSTANT(USER_EXIT, (intptr_t)USER_EXIT)
OFFSET(ENTRY_STATE_KERNEL_CR3, struct entry_state, kernel_cr3)
OFFSET(ENTRY_STATE_USER_CR3, struct entry_state, user_cr3)
OFFSET(ENTRY_STATE_KERNEL_SP, struct entry_state, kernel_sp)
OFFSET(ENTRY_STATE_USER_SP, struct entry_state, user_sp)
OFFSET(ENTRY_STATE_RETURN_SP, struct entry_state, return_sp)
OFFSET(USER_START_PROGRAM, struct user_start, program)
OFFSET(USER_START_CALL, struct user_start, call)
OFFSET(USER_START_ARGUMENT, struct user_start, argument)
OFFSET(USER_START_STACK, struct user_start, stack)
CONSTANT(AP_START, AP_START)
OFFSET(AP_START_ENTRY, struct ap_start, entry)
OFFSET(AP_START_STACK, struct ap_start, stack)
OFFSET(AP_START_CR0, struct ap_start, cr0)
OFFSET(AP_START_CR3, struct ap_start, cr3)
OFFSET(AP_START_CR4, struct ap_start, cr4)
OFFSET(AP_START_EFER, struct ap_start, efer)
OFFSET(AP_START_HAS_EFER, struct ap_start, has_efer)
OFFSETS_END
