/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The address space, for C, for NASM (kernel/<width>/offsets.c) and for linker.ld:
 * so only plain numbers here.
 *
 *	             x86_64                  i386
 *	user         0000000000001000        00001000    page 0 is never mapped
 *	its program  0000000000010000        00010000    then areas
 *	user's end   00007ffffffff000        bffff000
 *	direct map   ffff800000000000        c0000000    physical memory from 0 on
 *	windows      ffffc00000000000        f0000000    stacks, areas, devices: mapped on demand
 *	kernel       ffffffff80000000        c0000000    the image, 1 MiB above this base
 *
 * The last page below the kernel's half stays unmapped on both widths, so that no
 * access can straddle user and kernel memory (and on x86_64 no SYSRET can return to
 * the first non-canonical address).
 */
#ifndef KERNEL_LAYOUT_H
#define KERNEL_LAYOUT_H

#if defined(WIDTH_x86_64) || defined(__x86_64__)
#define KERNEL_BASE   0xffffffff80000000
#define USER_LIMIT    0x00007ffffffff000
#define PIN_BASE      0x00007fffff000000
#define DIRECT_BASE   0xffff800000000000
#define DIRECT_BYTES  0x0000400000000000 /* 64 TiB */
#define WINDOWS_BASE  0xffffc00000000000
#define WINDOWS_BYTES 0x0000008000000000 /* 512 GiB */
#define AREAS_BYTES   0x0000004000000000 /* of the windows, from their start */
#else
#define KERNEL_BASE   0xc0000000
#define USER_LIMIT    0xbffff000
#define PIN_BASE      0xbf000000
#define DIRECT_BASE   0xc0000000
#define DIRECT_BYTES  0x30000000 /* 768 MiB */
#define WINDOWS_BASE  0xf0000000
#define WINDOWS_BYTES 0x0f800000 /* the last 8 MiB are for physical_read() */
#define AREAS_BYTES   0x0c000000
#endif

/* The program that runs in user mode is linked here; areas begin well above it. */
#define USER_PROGRAM       0x00010000
#define USER_PROGRAM_BYTES 0x00010000

/* As far from it as MACHINE_USER_GAP has areas lie apart. */
#define USER_AREAS 0x00040000

/* Of the user's addresses, for pages that are pinned (kernel/pin.c): whole large pages of
 * every format, above all areas. */
#define PIN_BYTES 0x00800000

#define KERNEL_LOAD 0x00100000 /* physical; the image is linked at KERNEL_BASE + this */

#define PAGE_SIZE         4096
#define PAGE_SHIFT        12
#define KERNEL_STACK_SIZE 65536

/* Segment selectors: one order for both widths. User segments in the order that
 * SYSRET demands (32-bit code, data, 64-bit code; SDM volume 2, SYSRET). */
#define SELECTOR_KERNEL_CODE  0x08
#define SELECTOR_KERNEL_DATA  0x10
#define SELECTOR_USER_CODE32  0x18
#define SELECTOR_USER_DATA    0x20
#define SELECTOR_USER_CODE64  0x28
#define SELECTOR_LIMITED_DATA 0x28 /* on i386: segments_limit() */
#define SELECTOR_TSS          0x30 /* two slots on x86_64; i386 has its further TSSs after it */

#endif
