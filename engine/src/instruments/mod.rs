//! The instruments, one file each.

pub mod recorder;
pub mod truth;
