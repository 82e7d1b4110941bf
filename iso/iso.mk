# SPDX-License-Identifier: BSD-2-Clause
#
# One hybrid image: GRUB for BIOS, UEFI x64 and UEFI ia32, from CD and from a stick
# that it was written to with dd; and the same as a folder for a TFTP server.
# IMAGE_ARGS="key=value ..." are built into both. The same sources give the same
# bytes: what needs a date takes SOURCE_DATE_EPOCH.

IMAGE_ARGS ?=
GRUB_LIB ?= /usr/lib/grub
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# GRUB names an ISO 9660 file system by the date of its last change.
image_date := $(shell date -u -d @$(SOURCE_DATE_EPOCH) '+%Y %m %d %H %M %S')
empty :=
image_uuid := $(subst $(empty) ,-,$(image_date))-00

# ---------------------------------------------------------------- GRUB
# One program for each firmware, with all that grub.cfg uses in it.

GRUB_MODULES := normal configfile echo test regexp smbios cpuid serial terminal multiboot2 \
	search search_fs_uuid iso9660 part_gpt part_msdos minicmd halt reboot
# Under UEFI only the drivers of its own frame buffer, which keep the mode that it is in.
GRUB_MODULES_pc := biosdisk multiboot all_video
GRUB_MODULES_pxe := pxe tftp multiboot all_video
GRUB_MODULES_efi := efinet tftp efi_gop efi_uga

# $(1) the program, $(2) grub-mkimage's format, $(3) GRUB's platform, $(4) its own modules
define grub_program
$(1): $(O)/grub/load.cfg $(GRUB_LIB)/$(3)/multiboot2.mod iso/iso.mk
	$$(call say,GRUB,$$@)
	@mkdir -p $$(@D)
	$$(Q)grub-mkimage -d $(GRUB_LIB)/$(3) -O $(2) -p /boot/grub -c $$< -o $$@ $(GRUB_MODULES) $(4)
endef
$(eval $(call grub_program,$(O)/image/boot/grub/bios.img,i386-pc-eltorito,i386-pc,$(GRUB_MODULES_pc)))
$(eval $(call grub_program,$(O)/netboot/metalcopy.pxe,i386-pc-pxe,i386-pc,$(GRUB_MODULES_pxe)))
$(eval $(call grub_program,$(O)/netboot/BOOTX64.EFI,x86_64-efi,x86_64-efi,$(GRUB_MODULES_efi)))
$(eval $(call grub_program,$(O)/netboot/BOOTIA32.EFI,i386-efi,i386-efi,$(GRUB_MODULES_efi)))

$(GRUB_LIB)/%:
	$(error $@ is missing: make deps)

# Which disk it was started from, a firmware does not always say. Over the network
# GRUB is told.
$(O)/grub/load.cfg: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'if [ -z "$$net_default_server" ]; then' \
		'search --fs-uuid --set=root $(image_uuid)' 'set prefix=($$root)/boot/grub' fi | { $(if_changed); }

# ---------------------------------------------------------------- files

# At the same place in the image and in the network folder.
shared := boot/grub/grub.cfg boot/metalcopy/args.cfg README.md LICENSE $(WIDTHS:%=boot/metalcopy/%.elf)
image_files := $(shared:%=$(O)/image/%) $(O)/image/boot/grub/bios.img $(O)/image/efi.img
netboot_files := $(shared:%=$(O)/netboot/%) \
	$(addprefix $(O)/netboot/,metalcopy.pxe metalcopy.ipxe BOOTX64.EFI BOOTIA32.EFI)

# $(1) folder
define shared_rules
$(1)/boot/metalcopy/%.elf: $(O)/%/metalcopy.elf
	@mkdir -p $$(@D)
	$$(Q)$$(CROSS_$$*)objcopy --strip-debug $$< $$@

$(1)/boot/grub/%: iso/%
	@mkdir -p $$(@D)
	$$(Q)cp $$< $$@

$(1)/README.md $(1)/LICENSE: $(1)/%: %
	@mkdir -p $$(@D)
	$$(Q)cp $$< $$@

$(1)/boot/metalcopy/args.cfg: FORCE
	@mkdir -p $$(@D)
	@printf 'set args="%s"\n' '$$(IMAGE_ARGS)' | { $$(if_changed); }
endef
$(foreach f,$(O)/image $(O)/netboot,$(eval $(call shared_rules,$(f))))

# 32 KiB beside the two programs are for the file system itself.
$(O)/image/efi.img: $(O)/netboot/BOOTX64.EFI $(O)/netboot/BOOTIA32.EFI
	@mkdir -p $(@D)
	$(Q)rm -f $@
	$(Q)mformat -i $@ -C -N 0 -v METALCOPY -h 2 -s 32 -t $$((($$(cat $^ | wc -c) + 65536) / 32768)) ::
	$(Q)mmd -i $@ ::/EFI ::/EFI/BOOT
	$(Q)mcopy -i $@ $^ ::/EFI/BOOT/

# The forced boot flag is for a BIOS that boots no stick without an active partition.
$(O)/metalcopy.iso: $(image_files) iso/iso.mk
	$(call say,ISO,$@)
	$(Q)xorriso -as mkisofs -quiet -volid METALCOPY -r -o $@ \
		--modification-date=$(subst $(empty) ,,$(image_date))00 --set_all_file_dates =$(SOURCE_DATE_EPOCH) \
		-b boot/grub/bios.img -no-emul-boot -boot-load-size 4 -boot-info-table --grub2-boot-info \
		--grub2-mbr $(GRUB_LIB)/i386-pc/boot_hybrid.img --mbr-force-bootable \
		--efi-boot efi.img -efi-boot-part --efi-boot-image --protective-msdos-label \
		$(O)/image > $@.log 2>&1 || { cat $@.log >&2; exit 1; }

# ---------------------------------------------------------------- stick and network

.PHONY: usb
usb: $(O)/metalcopy.iso   ## write the image to a stick (DEV=/dev/sdX); asks first
	$(Q)iso/write-stick $< '$(DEV)'

$(O)/netboot/metalcopy.ipxe: iso/metalcopy.ipxe $(O)/netboot/boot/metalcopy/args.cfg
	@mkdir -p $(@D)
	$(Q)sed 's#@args@#$(IMAGE_ARGS)#' $< > $@

.PHONY: netboot
netboot: $(netboot_files)   ## build/netboot/, for a TFTP server
