# SPDX-License-Identifier: BSD-2-Clause
#
# One hybrid image: GRUB for BIOS, UEFI x64 and UEFI ia32, from CD and from a stick
# that it was written to with dd. IMAGE_ARGS="key=value ..." are built into it.

IMAGE_ARGS ?=
GRUB_LIB ?= /usr/lib/grub
GRUB_PLATFORMS := i386-pc x86_64-efi i386-efi

# What the image holds beside GRUB, at its place in the image.
image := boot/grub/grub.cfg boot/metalcopy/args.cfg README.md LICENSE \
	$(WIDTHS:%=boot/metalcopy/%.elf)
image_files := $(image:%=$(O)/image/%)

$(O)/image/boot/grub/grub.cfg: iso/grub.cfg
$(WIDTHS:%=$(O)/image/boot/metalcopy/%.elf): $(O)/image/boot/metalcopy/%.elf: $(O)/%/metalcopy.elf
$(O)/image/README.md: README.md
$(O)/image/LICENSE: LICENSE
$(filter-out %/args.cfg,$(image_files)):
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(O)/image/boot/metalcopy/args.cfg: FORCE
	@mkdir -p $(@D)
	@printf 'set args="%s"\n' '$(IMAGE_ARGS)' | { $(if_changed); }

# The forced boot flag is for a BIOS that boots no stick without an active partition.
# grub-mkrescue leaves a platform out in silence when its files, or mtools, are
# missing.
$(O)/metalcopy.iso: $(image_files) iso/iso.mk
	$(call say,ISO,$@)
	@for f in $(GRUB_PLATFORMS:%=$(GRUB_LIB)/%/multiboot2.mod); do \
		test -e $$f || { echo "$$f is missing: make deps" >&2; exit 1; }; done
	@command -v mformat >/dev/null || { echo "mtools is missing: make deps" >&2; exit 1; }
	$(Q)grub-mkrescue -o $@ --locales= --fonts= --themes= --compress=xz \
		$(O)/image -- -volid METALCOPY -boot_image any mbr_force_bootable=on > $@.log 2>&1 || { cat $@.log >&2; exit 1; }
