# SPDX-License-Identifier: BSD-2-Clause
#
# Everything is built out of tree, into build/. `make help` lists the targets.
# Sources are found by folder: a new file in copies/, suite/ or kernel/ needs no
# line here.

O ?= build
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

# These say themselves what they lack, before the toolchain is looked for below.
needs_run := run
needs_check := deps check emulators lint format
ifeq (,$(findstring n,$(firstword -$(MAKEFLAGS))))
ifneq (,$(filter $(needs_run) $(needs_check),$(MAKECMDGOALS)))
ifneq (done,$(shell tools/deps $(if $(filter $(needs_check),$(MAKECMDGOALS)),check,run) >&2 && echo done))
$(error something is missing)
endif
endif
endif

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

FONT ?= /usr/share/consolefonts/spleen-8x16.psfu.gz

VERSION := 0.1.0+g$(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || echo unknown)

# For files that depend on more than other files: reads the new text, and leaves
# the file alone when it is the same.
if_changed = cat > $@.new; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

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
# $(1) width, $(2) options. A run of its own, since NASM 2.16 leaves includes out of
# the dependencies when it assembles.
nasm = $(NASM) $(NASM_$(1)) $(NASM_WARNINGS) -g -Ilib/ -Icopies/ -I./ -I$(O)/$(1)/ $(2)

# ---------------------------------------------------------------- sources

LIB := $(wildcard lib/*.c)
COPIES := $(wildcard copies/*.asm)
SUITE := $(wildcard suite/*.c suite/*/*.c suite/*/*.asm)
OFFSETS := copies lib kernel

kernel_sources = $(filter-out %/offsets.c,$(LIB) $(wildcard lib/*.asm lib/$(1)/*.asm) $(COPIES) $(SUITE) \
	$(wildcard copies/*.c kernel/*.c kernel/*.asm kernel/$(1)/*.c kernel/$(1)/*.asm boot/*.asm))
hosted_sources = $(filter-out %/offsets.c lib/string.c,$(LIB) $(wildcard lib/*.asm lib/x86_64/*.asm) $(COPIES) \
	$(SUITE) $(wildcard copies/*.c hosted/*.c hosted/*.asm))

# ---------------------------------------------------------------- kernels

# $(1) width
define kernel_rules
offsets_$(1) := $(patsubst %,$(O)/$(1)/%/offsets.inc,$(OFFSETS) $(if $(wildcard kernel/$(1)/offsets.c),kernel/$(1)))
objects_$(1) := $$(patsubst %,$(O)/$(1)/%.o,$$(call kernel_sources,$(1)))

$(O)/$(1)/%/offsets.inc: %/offsets.c
	$$(call say,OFFSETS,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc $$(COMMON) $$(KERNEL_$(1)) -O2 -MMD -MP -MT $$@ -MF $$@.d -S $$< -o $$@.s
	$$(Q)sed -n 's/^->\([A-Za-z0-9_]*\) [^0-9-]*\([0-9-]*\)$$$$/%define \1 \2/p' $$@.s > $$@

$(O)/$(1)/%.c.o: %.c | $(O)/$(1)/version.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc $$(COMMON) $$(KERNEL_$(1)) -I$(O)/$(1) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$(O)/$(1)/%.asm.o: %.asm $$(offsets_$(1))
	$$(call say,NASM,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(call nasm,$(1),-M -MP -MT $$@ $$<) > $$@.d
	$$(Q)$$(call nasm,$(1),$$< -o $$@)

link_$(1) = $$(CROSS_$(1))gcc $$(KERNEL_$(1)) -nostdlib -static -no-pie -Wl,-T,$(O)/$(1)/linker.ld \
	-Wl,--build-id=none -Wl,-z,max-page-size=0x1000 -Wl,-z,noexecstack -Wl,--fatal-warnings

$(O)/$(1)/kernel/font.asm.o: $(O)/$(1)/font.bin
$(O)/$(1)/font.bin: $(FONT) tools/font
	@mkdir -p $$(@D)
	$$(Q)$(PYTHON) tools/font $$< > $$@

$(O)/$(1)/linker.ld: linker.ld
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$(1))gcc -E -P -undef -x c -DWIDTH_$(1) $$< -o $$@

-include $$(objects_$(1):.o=.d) $$(objects_$(1):=.d) $$(offsets_$(1):=.d)
endef
$(foreach w,$(WIDTHS),$(eval $(call kernel_rules,$(w))))

$(FONT):
	$(error $@ is missing: make deps)

# The symbol table needs the addresses of the first link; it lies after the code,
# so the second link moves no function.
# $(1) width, $(2) kernel image, $(3) its objects
define kernel_image
$(2): $(3) $(O)/$(1)/linker.ld tools/symbols
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(PYTHON) tools/symbols --empty > $$@.symbols.asm
	$$(Q)$$(NASM) $$(NASM_$(1)) $$@.symbols.asm -o $$@.symbols.o
	$$(Q)$$(link_$(1)) $(3) $$@.symbols.o -lgcc -o $$@.first
	$$(Q)$$(CROSS_$(1))nm -n $$@.first | $$(PYTHON) tools/symbols > $$@.symbols.asm
	$$(Q)$$(NASM) $$(NASM_$(1)) $$@.symbols.asm -o $$@.symbols.o
	$$(Q)$$(link_$(1)) $(3) $$@.symbols.o -lgcc -o $$@
	$$(Q)rm $$@.first
endef
$(foreach w,$(WIDTHS),$(eval $(call kernel_image,$(w),$(O)/$(w)/metalcopy.elf,$(objects_$(w)))))

# ---------------------------------------------------------------- hosted

define hosted_link
$(call say,LD,$@)
$(Q)$(HOSTCC) -pie -Wl,-z,noexecstack $^ -o $@
endef

hosted_objects := $(patsubst %,$(O)/hosted/%.o,$(hosted_sources))

$(O)/hosted/%.c.o: %.c | $(O)/hosted/version.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(COMMON) -I$(O)/hosted -D_GNU_SOURCE -fPIE -fno-omit-frame-pointer -fcf-protection=none \
		$(CFLAGS) -MMD -MP -c $< -o $@

$(O)/hosted/%.asm.o: %.asm $(offsets_x86_64)
	$(call say,NASM,$@)
	@mkdir -p $(@D)
	$(Q)$(call nasm,x86_64,-M -MP -MT $@ $<) > $@.d
	$(Q)$(call nasm,x86_64,$< -o $@)

$(O)/hosted/metalcopy: $(hosted_objects)
	$(hosted_link)

.PHONY: hosted
hosted: $(O)/hosted/metalcopy   ## run on this CPU as a Linux process (ARGS="...")
	$(Q)$(O)/hosted/metalcopy $(ARGS)

-include $(hosted_objects:.o=.d) $(hosted_objects:=.d)

# ---------------------------------------------------------------- version

$(O)/%/version.h: FORCE
	@mkdir -p $(@D)
	@printf '#define METALCOPY_VERSION "%s"\n' '$(VERSION)' | { $(if_changed); }

.PHONY: FORCE
FORCE:

# ---------------------------------------------------------------- run

# What a run boots; the kernels alone do not need the image.
BOOT ?= kernel
run_needs := $(if $(filter kernel,$(BOOT)),$(O)/$(or $(WIDTH),x86_64)/metalcopy.elf,\
	$(if $(filter %pxe,$(BOOT)),netboot,$(O)/metalcopy.iso))

.PHONY: run
run: $(run_needs)   ## run in QEMU: WIDTH=, BOOT=kernel|bios|usb|uefi|pxe, CPU=model, CPUS=n, ARGS="key=value ..."
	$(Q)tools/metalcopy run --build $(O) --boot $(BOOT) $(WIDTH:%=--width %) \
		$(CPU:%=--cpu %) $(CPUS:%=--cpus %) $(RUN_OPTIONS) -- $(ARGS)

include $(wildcard iso/*.mk tests/*.mk)

# ---------------------------------------------------------------- the rest

.PHONY: deps
deps:   ## install what building, running and checking need (or say how)
	@:

.PHONY: format
format:   ## lay out the C code
	$(Q)git ls-files -z '*.[ch]' | xargs -0 clang-format-14 -i

.PHONY: clean
clean:   ## remove build/
	$(Q)rm -rf $(O)

.PHONY: help
help:   ## this list
	@awk -F':.*## *' '/^[a-z][a-z-]*:.*##/ {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  V=1 shows the commands; O=folder builds elsewhere; CFLAGS=... adds to the flags of C'
