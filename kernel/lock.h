/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks between CPUs. All start as 0, free. */
#ifndef KERNEL_LOCK_H
#define KERNEL_LOCK_H

#include "kernel/smp.h"
#include "suite/machine.h"

#include <stdint.h>

struct spinlock {
	uint32_t held;
};

static inline void spin_lock(struct spinlock *lock)
{
	uint64_t deadline = 0;

	while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
		smp_wait(&deadline, "a lock is never released");
}

static inline void spin_unlock(struct spinlock *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/* Many readers or one writer, in the order in which they come: each draws a number, and
 * waits until it is the one that may read, or write. */
struct rwlock {
	uint32_t next, reader, writer;
};

static inline void rwlock_wait(uint32_t *next, const uint32_t *turn)
{
	uint32_t number = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
	uint64_t deadline = 0;

	while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != number)
		smp_wait(&deadline, "a lock is never released");
}

static inline void read_lock(struct rwlock *lock)
{
	rwlock_wait(&lock->next, &lock->reader);
	__atomic_fetch_add(&lock->reader, 1, __ATOMIC_RELEASE);
}

static inline void read_unlock(struct rwlock *lock)
{
	__atomic_fetch_add(&lock->writer, 1, __ATOMIC_RELEASE);
}

static inline void write_lock(struct rwlock *lock)
{
	rwlock_wait(&lock->next, &lock->writer);
}

static inline void write_unlock(struct rwlock *lock)
{
	__atomic_fetch_add(&lock->reader, 1, __ATOMIC_RELEASE);
	__atomic_fetch_add(&lock->writer, 1, __ATOMIC_RELEASE);
}

#endif
