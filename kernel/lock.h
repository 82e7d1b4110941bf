/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks between CPUs. All start as 0, free. */
#ifndef KERNEL_LOCK_H
#define KERNEL_LOCK_H

#include "suite/machine.h"

#include <stdint.h>

struct spinlock {
	uint32_t held;
};

static inline void spin_lock(struct spinlock *lock)
{
	while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
		machine_cpu_relax();
}

static inline void spin_unlock(struct spinlock *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/* Many readers or one writer, who lets no further readers in while it waits. */
struct rwlock {
	uint32_t state; /* readers, and RWLOCK_WRITER */
};
#define RWLOCK_WRITER (1u << 31)

static inline void read_lock(struct rwlock *lock)
{
	for (;;) {
		uint32_t readers = __atomic_load_n(&lock->state, __ATOMIC_RELAXED) & ~RWLOCK_WRITER;

		if (__atomic_compare_exchange_n(&lock->state, &readers, readers + 1, 0,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		machine_cpu_relax();
	}
}

static inline void read_unlock(struct rwlock *lock)
{
	__atomic_fetch_sub(&lock->state, 1, __ATOMIC_RELEASE);
}

static inline void write_lock(struct rwlock *lock)
{
	while (__atomic_fetch_or(&lock->state, RWLOCK_WRITER, __ATOMIC_ACQUIRE) & RWLOCK_WRITER)
		machine_cpu_relax();
	while (__atomic_load_n(&lock->state, __ATOMIC_ACQUIRE) != RWLOCK_WRITER)
		machine_cpu_relax();
}

static inline void write_unlock(struct rwlock *lock)
{
	__atomic_fetch_and(&lock->state, ~RWLOCK_WRITER, __ATOMIC_RELEASE);
}

#endif
