//! The instruments, one file each.

pub mod interrupts_off;
mod log;
pub mod masking;
pub mod off_intervals;
pub mod power_meter;
pub mod profile;
pub mod recorder;
pub mod truth;
pub mod window;
