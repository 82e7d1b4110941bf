# SPDX-License-Identifier: BSD-2-Clause
#
# Unit tests of the parts that are pure C, as an ordinary program under the address
# and undefined-behaviour sanitizers. A test is a TEST() in a file tests/unit/*.c.

unit_sources := $(wildcard tests/unit/*.c) \
	kernel/multiboot.c \
	kernel/status.c \
	kernel/uart.c \
	kernel/uart_tables.c \
	lib/crc32.c \
	lib/deflate.c \
	lib/differ.c \
	lib/extable.c \
	lib/format.c \
	lib/fpusave.c \
	lib/fpustate.c \
	lib/frequency.c \
	lib/option.c \
	lib/qr.c \
	lib/tscstep.c \
	suite/choice.c \
	suite/compact.c \
	suite/contract/case.c \
	suite/contract/fence.c \
	suite/contract/generate.c \
	suite/contract/judge.c \
	suite/core.c \
	suite/cpu.c \
	suite/cpu_caches.c \
	suite/experiment.c \
	suite/features.c \
	suite/history/history.c \
	suite/identity.c \
	suite/list.c \
	suite/measure.c \
	suite/record.c \
	suite/registry.c \
	suite/report.c \
	suite/stats.c \
	suite/table.c \
	suite/tap.c \
	suite/threshold.c \
	suite/world/access.c \
	suite/world/file.c \
	suite/world/program.c \
	suite/world/socket.c
unit_objects := $(unit_sources:%=$(O)/unit/%.o) $(O)/hosted/suite/history/history.asm.o $(O)/hosted/lib/probe.asm.o

$(O)/unit/%.c.o: %.c $(O)/unit/version.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(COMMON) -I$(O)/unit -D_GNU_SOURCE -DCPUID_FOLDER='"tests/unit/cpuid"' -O1 -g \
		-fsanitize=address,undefined -fno-sanitize-recover=all -MMD -MP -c $< -o $@

$(O)/unit/unit: $(unit_objects)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) -fsanitize=address,undefined $(unit_objects) -o $@

.PHONY: unit
unit: $(O)/unit/unit   ## unit tests alone
	$(Q)$(O)/unit/unit

check: $(O)/unit/unit

-include $(unit_objects:.o=.d)
