# The toolchain of boards with an AVR, and the sources that they share. avr-libc's start-up is the board's.
CROSS := avr-
CROSS_PACKAGES := gcc-avr avr-libc
BOARD_ARCHITECTURE := avr
CORE_FLAGS := -mmcu=$(MCU)
LIBRARIES := avr-libc
HEADER_avr-libc := avr/version.h
VERSION_avr-libc := __AVR_LIBC_MAJOR__.__AVR_LIBC_MINOR__.__AVR_LIBC_REVISION__
# GCC 5.4 and binutils 2.26: of before these options.
PREFIX_MAP := -fdebug-prefix-map
LINK_DEPENDENCIES :=
BOARD_BARE_SOURCES :=
BOARD_BARE_ARM_SOURCES := arch/avr/leave.S $(if $(FRAGMENT),arch/avr/arguments.S)
BOARD_BARE_LINK_FLAGS := -Wl,--defsym=stack_bytes=768
# GCC 8 has noipa instead. -Wno-address: on other boards what is compared with NULL is a variable.
ARCHITECTURE_FLAGS := -Dnoipa=noinline,noclone -Wno-address
# The same of the options that the lab writes for a fragment: what sed makes of each.
FRAGMENT_OPTION_NAMES := s/^-std=gnu17$$/-std=gnu11/;s/^\("*\)-ffile-prefix-map=/\1$(PREFIX_MAP)=/
