//! The instruments, one file each.
