//! The instruments, one file each.

pub mod accesses;
pub mod callers;
pub mod follow;
pub mod histogram;
pub mod interrupts;
pub mod interrupts_off;
mod log;
pub mod masking;
pub mod off_intervals;
pub mod power_meter;
pub mod profile;
pub mod recorder;
pub mod stacks;
pub mod transfers;
pub mod truth;
pub mod window;
