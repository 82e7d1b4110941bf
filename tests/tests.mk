# SPDX-License-Identifier: BSD-2-Clause

# ---------------------------------------------------------------- what a second compiler says

# $(1) name, $(2) flags, $(3) sources
define clang_rules
.PHONY: clang-$(1)
clang-$(1): $(O)/$(1)/version.h
	$$(call say,CLANG,$(1))
	$$(Q)clang-14 $(2) $$(COMMON) -I$(O)/$(1) -fsyntax-only $(filter %.c,$(3))
endef
$(eval $(call clang_rules,i386,--target=i686-linux-gnu $(KERNEL_i386),$(call kernel_sources,i386)))
$(eval $(call clang_rules,x86_64,--target=x86_64-linux-gnu $(KERNEL_x86_64),$(call kernel_sources,x86_64)))
$(eval $(call clang_rules,hosted,-D_GNU_SOURCE,$(hosted_sources)))

.PHONY: lint
lint: clang-i386 clang-x86_64 clang-hosted   ## layout of the code, shellcheck, a second compiler
	$(Q)tests/lint

# ---------------------------------------------------------------- faulty routines
# Linked with everything else into programs of their own, which must fail them.

FAULTY := $(wildcard tests/faulty/*.asm)
faulty_programs := $(WIDTHS:%=$(O)/%/faulty.elf) $(O)/hosted/faulty

# A file in tests/faulty/ stands for the kernel's of the same name.
FAULTY_KERNEL := $(wildcard tests/faulty/*.c)

$(foreach w,$(WIDTHS),$(eval $(call kernel_image,$(w),$(O)/$(w)/faulty.elf,\
	$(filter-out $(FAULTY_KERNEL:tests/faulty/%=$(O)/$(w)/kernel/%.o),$(objects_$(w))) \
	$(FAULTY:%=$(O)/$(w)/%.o) $(FAULTY_KERNEL:%=$(O)/$(w)/%.o))))
-include $(foreach w,$(WIDTHS),$(FAULTY_KERNEL:%=$(O)/$(w)/%.d))
$(O)/hosted/faulty: $(hosted_objects) $(FAULTY:%=$(O)/hosted/%.o)
	$(hosted_link)

.PHONY: faulty
faulty: $(faulty_programs)   ## what the suite makes of each faulty routine
	$(Q)METALCOPY_BUILD=$(O) $(PYTHON) tests/test_faulty.py

# ---------------------------------------------------------------- instructions that no CPU here has

$(O)/hosted/direct-stores: $(hosted_objects) $(O)/hosted/tests/direct_stores.c.o
	$(call say,LD,$@)
	$(Q)$(HOSTCC) -pie -Wl,-z,noexecstack -Wl,--wrap=machine_cpuid,--wrap=sigaction $^ -o $@
-include $(O)/hosted/tests/direct_stores.c.d

# ---------------------------------------------------------------- check

.PHONY: check
check: all netboot $(O)/hosted/metalcopy $(O)/hosted/direct-stores $(faulty_programs)   ## all tests
	$(Q)METALCOPY_BUILD=$(O) tests/check $(TESTS)

.PHONY: emulators
emulators: $(WIDTHS:%=$(O)/%/metalcopy.elf)   ## every routine and experiment in QEMU and Bochs; takes an hour
	$(Q)METALCOPY_BUILD=$(O) tests/check --long $(TESTS)
