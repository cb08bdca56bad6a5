//! Whole boards, from their files to the cycles of programs that run on them.

#[path = "../alike/mod.rs"]
mod alike;
mod any_program;
mod areas;
mod beside_code;
mod bursts;
mod counting;
mod energy;
mod faults;
mod file;
mod follow;
mod image;
mod instruments;
mod interrupts;
mod loops;
mod lpc2148;
mod memories;
mod programs;
mod robustness;
mod run;
mod semihosting;
mod tiers;
mod waiting;
