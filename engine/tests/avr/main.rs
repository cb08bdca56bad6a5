//! The AVR core against simavr, instruction by instruction, and its tiers against each other.

#[path = "../alike/mod.rs"]
mod alike;
mod cases;
mod compiled;
mod devices;
mod opcodes;
mod programs;
mod tiers;
