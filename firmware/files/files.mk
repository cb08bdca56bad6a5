# littlefs, from the crate littlefs2-sys (packages/Cargo.toml), on a disk of the board's DISK_BLOCKS_<code> blocks. It
# takes no memory of its own, says nothing and checks nothing of itself, as in a product.
LITTLEFS := $(PACKAGES)/littlefs2-sys/littlefs
KERNEL_INCLUDES += files $(LITTLEFS)
KERNEL_SOURCES += files/disk.c files/descriptors.c $(LITTLEFS)/lfs.c $(LITTLEFS)/lfs_util.c
KERNEL_FLAGS += -DDISK_BLOCK_COUNT=$(DISK_BLOCKS_$(CODE)) \
	-DLFS_NO_MALLOC -DLFS_NO_ASSERT -DLFS_NO_DEBUG -DLFS_NO_WARN -DLFS_NO_ERROR
KERNEL_HEADERS += files.h
KERNEL_PACKAGES := $(PACKAGES)/ready
