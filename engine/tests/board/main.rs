//! Whole boards, from their files to the cycles of programs that run on them.

mod energy;
mod file;
mod image;
mod instruments;
mod interrupts;
mod lpc2148;
mod programs;
mod robustness;
mod run;
mod semihosting;
mod waiting;
