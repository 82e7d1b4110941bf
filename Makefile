# SPDX-License-Identifier: BSD-2-Clause
#
# Everything is built out of tree, into build/. `make help` lists the targets.
# Sources are found by folder: a new file in copies/, suite/ or kernel/ needs no
# line here.

O ?= build
WIDTH ?= x86_64
WIDTHS := i386 x86_64
CFLAGS ?= -O2 -g
V ?= 0

ifeq ($(V),0)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)'
else
Q :=
say = @:
endif

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

.PHONY: all
all: $(WIDTHS:%=$(O)/%/metalcopy.elf) $(O)/metalcopy.iso   ## both kernels and the bootable image

# ---------------------------------------------------------------- toolchains
# A bare-metal cross toolchain is taken when there is one in PATH, else Debian's.

first_of = $(firstword $(foreach p,$(1),$(if $(shell command -v $(p)gcc 2>/dev/null),$(p))) $(lastword $(1)))
CROSS_i386 ?= $(call first_of,i686-elf- i686-linux-gnu-)
CROSS_x86_64 ?= $(call first_of,x86_64-elf- x86_64-linux-gnu-)
HOSTCC ?= gcc
NASM ?= nasm
PYTHON ?= python3

VERSION := $(shell git describe --always --dirty --abbrev=12 --match 'v*' 2>/dev/null || echo unknown)
BASE_VERSION := 0.1.0

# ---------------------------------------------------------------- flags

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef \
	-Wpointer-arith -Wwrite-strings -Wvla
COMMON := -std=c11 -I. $(WARNINGS) -fno-strict-aliasing -fno-common
FREESTANDING := -ffreestanding -fno-pic -fno-pie -fno-stack-protector -fcf-protection=none \
	-fno-asynchronous-unwind-tables -fno-omit-frame-pointer -mgeneral-regs-only
KERNEL_i386 := $(FREESTANDING) -m32 -march=i686 -mno-red-zone
KERNEL_x86_64 := $(FREESTANDING) -m64 -mcmodel=kernel -mno-red-zone
NASM_i386 := -f elf32
NASM_x86_64 := -f elf64
NASM_WARNINGS := -Wall -Werror

# ---------------------------------------------------------------- sources

LIB := $(wildcard lib/*.c)
COPIES := $(wildcard copies/*.asm)
SUITE := $(wildcard suite/*.c suite/*/*.c)
OFFSETS := copies lib

kernel_sources = $(filter-out %/offsets.c,$(LIB) $(wildcard lib/$(1)/*.asm) $(COPIES) $(SUITE) \
	$(wildcard copies/*.c kernel/*.c kernel/$(1)/*.c kernel/$(1)/*.asm boot/*.asm))
hosted_sources = $(filter-out %/offsets.c lib/string.c,$(LIB) $(wildcard lib/x86_64/*.asm) $(COPIES) \
	$(SUITE) $(wildcard copies/*.c hosted/*.c hosted/*.asm))

include $(wildcard iso/*.mk tests/*.mk)

# ---------------------------------------------------------------- kernels

# $(1) width
define kernel_rules
offsets_$(1) := $(patsubst %,$(O)/$(1)/%/offsets.inc,$(OFFSETS) $(if $(wildcard kernel/$(1)/offsets.c),kernel/$(1)))
objects_$(1) := $$(patsubst %,$(O)/$(1)/%.o,$$(call kernel_sources,$(1)))

$(O)/$(1)/%/offsets.inc: %/offsets.c
	$$(call say,OFFSETS,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc $$(COMMON) $$(KERNEL_$(1)) -O2 -MMD -MP -MT $$@ -MF $$@.d -S $$< -o $$@.s
	$$(Q)sed -n 's/^->\([A-Z0-9_]*\) [^0-9-]*\([0-9-]*\)$$$$/%define \1 \2/p' $$@.s > $$@

$(O)/$(1)/%.c.o: %.c $(O)/$(1)/version.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc $$(COMMON) $$(KERNEL_$(1)) -I$(O)/$(1) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$(O)/$(1)/%.asm.o: %.asm $$(offsets_$(1))
	$$(call say,NASM,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(NASM) $(NASM_$(1)) $(NASM_WARNINGS) -g -Ilib/ -Icopies/ -I./ -I$(O)/$(1)/ -MD $$@.d -MP $$< -o $$@

# The symbol table needs the addresses of the first link; it lies after the code,
# so the second link moves no function.
link_$(1) = $$(CROSS_$(1))gcc $$(KERNEL_$(1)) -nostdlib -static -no-pie -Wl,-T,$(O)/$(1)/linker.ld \
	-Wl,--build-id=none -Wl,-z,max-page-size=0x1000 -Wl,-z,noexecstack -Wl,--fatal-warnings

$(O)/$(1)/linker.ld: linker.ld
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc -E -P -undef -x c -DWIDTH_$(1) $$< -o $$@

$(O)/$(1)/metalcopy.elf: $$(objects_$(1)) $(O)/$(1)/linker.ld tools/symbols
	$$(call say,LD,$$@)
	$$(Q)$(PYTHON) tools/symbols --empty > $(O)/$(1)/symbols.asm
	$$(Q)$(NASM) $(NASM_$(1)) $(O)/$(1)/symbols.asm -o $(O)/$(1)/symbols.o
	$$(Q)$$(link_$(1)) $$(objects_$(1)) $(O)/$(1)/symbols.o -lgcc -o $$@.first
	$$(Q)$$(CROSS_$(1))nm -n $$@.first | $(PYTHON) tools/symbols > $(O)/$(1)/symbols.asm
	$$(Q)$(NASM) $(NASM_$(1)) $(O)/$(1)/symbols.asm -o $(O)/$(1)/symbols.o
	$$(Q)$$(link_$(1)) $$(objects_$(1)) $(O)/$(1)/symbols.o -lgcc -o $$@
	$$(Q)rm $$@.first

-include $$(objects_$(1):.o=.d) $$(objects_$(1):=.d) $$(offsets_$(1):=.d)
endef
$(foreach w,$(WIDTHS),$(eval $(call kernel_rules,$(w))))

# ---------------------------------------------------------------- hosted

hosted_objects := $(patsubst %,$(O)/hosted/%.o,$(hosted_sources))

$(O)/hosted/%.c.o: %.c $(O)/hosted/version.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(COMMON) -I$(O)/hosted -D_GNU_SOURCE -fPIE -fno-omit-frame-pointer -fcf-protection=none \
		$(CFLAGS) -MMD -MP -c $< -o $@

$(O)/hosted/%.asm.o: %.asm $(offsets_x86_64)
	$(call say,NASM,$@)
	@mkdir -p $(@D)
	$(Q)$(NASM) $(NASM_x86_64) $(NASM_WARNINGS) -g -Ilib/ -Icopies/ -I./ -I$(O)/x86_64/ -MD $@.d -MP $< -o $@

$(O)/hosted/metalcopy: $(hosted_objects)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) -pie -Wl,-z,noexecstack $(hosted_objects) -o $@

.PHONY: hosted
hosted: $(O)/hosted/metalcopy   ## run on this CPU as a Linux process (ARGS="...")
	$(Q)$(O)/hosted/metalcopy $(ARGS)

-include $(hosted_objects:.o=.d) $(hosted_objects:=.d)

# ---------------------------------------------------------------- version

# Rewritten only when it changes, so that a commit rebuilds what prints it and no more.
$(O)/%/version.h: FORCE
	@mkdir -p $(@D)
	@printf '#define METALCOPY_VERSION "%s"\n' '$(BASE_VERSION)+g$(VERSION)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.PHONY: FORCE
FORCE:

# ---------------------------------------------------------------- the rest

.PHONY: clean
clean:   ## remove build/
	$(Q)rm -rf $(O)

.PHONY: help
help:   ## this list
	@awk -F':.*## *' '/^[a-z][a-z-]*:.*##/ {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
