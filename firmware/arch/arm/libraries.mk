# The tools and the C libraries for ARM.
CROSS := arm-none-eabi-
CROSS_PACKAGES := gcc-arm-none-eabi libnewlib-arm-none-eabi
LIBRARIES := newlib-nano picolibc
SPECS_newlib-nano := nano.specs
PACKAGE_newlib-nano := libnewlib-arm-none-eabi
HEADER_newlib-nano := _newlib_version.h
VERSION_newlib-nano := _NEWLIB_VERSION
SPECS_picolibc := picolibc.specs
PACKAGE_picolibc := picolibc-arm-none-eabi
HEADER_picolibc := picolibc.h
VERSION_picolibc := _PICOLIBC_VERSION
BOARD_SPECS = --specs=$(SPECS_$(LIBRARY))
