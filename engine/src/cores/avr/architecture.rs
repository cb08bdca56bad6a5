//! Facts about an AVR that a board needs.

use serde::Deserialize;

use super::blocks::Blocks;
use super::data::DATA;
use super::exceptions::{output, NOTHING_THERE, PROGRAM_WRITE, UNDEFINED};
use super::Avr;
use crate::bus::{Exception, Width};
use crate::core::{Architecture, ElfMachine, Refused};
use crate::processor::{Bound, Processor};
use crate::registry::parameters;
use crate::system::System;

/// The only one there is: it has no state.
pub static ARCHITECTURE: AvrPlus = AvrPlus;

/// AVRe+ with a program counter of three bytes.
#[derive(Debug)]
pub struct AvrPlus;

/// Words of program memory that three bytes of a program counter are for: more than two bytes reach, and at most
/// what JMP reaches.
const PROGRAM_WORDS: std::ops::RangeInclusive<u32> = 0x2_0000..=0x40_0000;

/// The interrupt inputs, by the numbers that avr-libc gives the vectors. The lower goes first.
static INPUTS: [&str; 56] = [
    "vector1", "vector2", "vector3", "vector4", "vector5", "vector6", "vector7", "vector8",
    "vector9", "vector10", "vector11", "vector12", "vector13", "vector14", "vector15", "vector16",
    "vector17", "vector18", "vector19", "vector20", "vector21", "vector22", "vector23", "vector24",
    "vector25", "vector26", "vector27", "vector28", "vector29", "vector30", "vector31", "vector32",
    "vector33", "vector34", "vector35", "vector36", "vector37", "vector38", "vector39", "vector40",
    "vector41", "vector42", "vector43", "vector44", "vector45", "vector46", "vector47", "vector48",
    "vector49", "vector50", "vector51", "vector52", "vector53", "vector54", "vector55", "vector56",
];

/// `[core].parameters`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    program_words: u32,
    stack_top: u16,
}

impl Architecture for AvrPlus {
    fn kind(&self) -> &'static str {
        "avr"
    }

    fn make(&self, given: toml::Table) -> Result<Box<dyn Processor>, String> {
        let Parameters { program_words, stack_top } = parameters(given)?;
        if !program_words.is_power_of_two() || !PROGRAM_WORDS.contains(&program_words) {
            let (least, most) = (PROGRAM_WORDS.start(), PROGRAM_WORDS.end());
            return Err(format!("program_words is a power of two from {least} to {most}"));
        }
        Ok(Box::new(Bound::<Avr, Blocks>::new(Avr::new(program_words, stack_top))))
    }

    fn inputs(&self) -> &'static [&'static str] {
        &INPUTS
    }

    fn outputs(&self) -> &'static [&'static str] {
        &output::NAMES
    }

    fn elf_machine(&self) -> Option<ElfMachine> {
        Some(ElfMachine { number: object::elf::EM_AVR, name: "AVR", big_endian: false })
    }

    fn data_width(&self) -> Width {
        Width::Byte
    }

    fn explain(&self, exception: &Exception, refused: Option<&Refused>, system: &System) -> String {
        let at = exception.at;
        let opcode = || system.peek(at, Width::Half).unwrap_or_default();
        match (exception.vector, refused) {
            (UNDEFINED, _) => {
                format!("The opcode {:#06x} at {at:#x} is no instruction of the AVRe+", opcode())
            }
            (PROGRAM_WRITE, _) => {
                format!("SPM at {at:#x} would erase or write program memory, which is not modelled")
            }
            (NOTHING_THERE, Some(Refused { address, access, write, .. })) => {
                let what = match (access.is_code(), *write) {
                    (true, _) => "fetched",
                    (_, true) => "written",
                    (_, false) => "read",
                };
                match address.checked_sub(DATA) {
                    Some(data) => format!(
                        "Nothing is at {data:#x} in the data space, {what} by the instruction at {at:#x}"
                    ),
                    None => format!(
                        "No program memory is at {address:#x}, {what} by the instruction at {at:#x}"
                    ),
                }
            }
            (NOTHING_THERE, None) => format!("Nothing answered the instruction at {at:#x}"),
            (vector, _) => format!("Interrupt by vector {} before {at:#x}", vector / 4),
        }
    }

    fn dead_vector(&self, vector: u32, system: &System) -> Option<String> {
        if matches!(vector, UNDEFINED | PROGRAM_WRITE | NOTHING_THERE) {
            return Some("an AVR has no exception for that".to_owned());
        }
        let erased = system.peek(vector, Width::Half).is_none_or(|opcode| opcode == 0xFFFF);
        erased.then(|| format!("no instruction is at {vector:#x}"))
    }
}
