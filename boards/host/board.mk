# How the firmware is built for this machine: a program of Linux, whose wire is its standard input and output.
ISA := $(shell uname -m)
TIMER ?= $(firstword $(TIMERS))
BOARD_ARCHITECTURE := $(ISA)
BOARD_SYSTEM := linux
CROSS :=
CROSS_PACKAGES := gcc libc6-dev

BOARD_INCLUDES := $(BOARDS)/host $(BOARDS)/host/timers/$(TIMER)
BOARD_SOURCES := $(BOARDS)/host/board.c
BOARD_LINK_FOLDERS := $(BOARDS)/host
# At fixed addresses, so that the same image lies the same in every run.
CORE_FLAGS := -fno-pie
BOARD_LINK := -no-pie
BOARD_LIBRARIES := -lm

BOARD_CONFIGURATION := linux
BOARD_FACTS :=
LIBRARIES := glibc
HEADER_glibc := features.h
VERSION_glibc := __GLIBC__.__GLIBC_MINOR__

BOARD_FLAGS := -D_GNU_SOURCE -DSAMPLE_CAPACITY=60000
