//! Facts about a Cortex-M3 that a board needs.

use serde::Deserialize;

use super::blocks::Blocks;
use super::exceptions::{input, output};
use super::retrace::PathOfCortexM3;
use super::scb::{Revision, REVISIONS};
use super::{explain, Armv7m, Part};
use crate::bus::Exception;
use crate::core::{Architecture, ElfMachine, Refused};
use crate::cores::build_attributes::is_m_profile;
use crate::pricing::Retrace;
use crate::processor::{Bound, Processor};
use crate::registry::parameters;
use crate::system::System;
use crate::time::Cycle;

/// The only one there is: it has no state.
pub static ARCHITECTURE: CortexM3 = CortexM3;

/// ARMv7-M without its extensions.
#[derive(Debug)]
pub struct CortexM3;

/// Interrupts that a priority can hold off, and the tick.
pub(super) const NORMAL_INPUTS: u64 = input::ALL_INTERRUPTS | 1 << input::SYSTICK;

/// Words that fetch may be ahead.
const QUEUE_WORDS: Cycle = 3;

/// Bits of a priority that a part may have.
const PRIORITY_BITS: std::ops::RangeInclusive<u32> = 3..=8;

/// `[core].parameters`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    interrupts: usize,
    priority_bits: u32,
    revision: String,
    #[serde(default = "yes")]
    bit_bands: bool,
}

fn yes() -> bool {
    true
}

impl Parameters {
    fn part(&self) -> Result<Part, String> {
        if !(1..=input::INTERRUPTS).contains(&self.interrupts) {
            return Err(format!("interrupts is a number from 1 to {}", input::INTERRUPTS));
        }
        if !PRIORITY_BITS.contains(&self.priority_bits) {
            let (least, most) = (PRIORITY_BITS.start(), PRIORITY_BITS.end());
            return Err(format!("priority_bits is a number from {least} to {most}"));
        }
        let known = REVISIONS.iter().find(|one| one.name == self.revision);
        let revision: Revision = *known.ok_or_else(|| {
            let names: Vec<_> = REVISIONS.iter().map(|one| one.name).collect();
            format!("revision is one of {}", names.join(", "))
        })?;
        let &Parameters { interrupts, priority_bits, bit_bands: has_bit_bands, .. } = self;
        Ok(Part { interrupts, priority_bits, revision, has_bit_bands })
    }
}

impl Architecture for CortexM3 {
    fn kind(&self) -> &'static str {
        "armv7m"
    }

    fn make(&self, given: toml::Table) -> Result<Box<dyn Processor>, String> {
        let given: Parameters = parameters(given)?;
        Ok(Box::new(Bound::<Armv7m, Blocks>::new(Armv7m::new(given.part()?))))
    }

    fn retrace(&self, given: toml::Table) -> Result<Option<Box<dyn Retrace>>, String> {
        let given: Parameters = parameters(given)?;
        Ok(Some(Box::new(PathOfCortexM3::new(Armv7m::new(given.part()?)))))
    }

    /// The data phase.
    fn access_cycles(&self) -> Cycle {
        1
    }

    /// Of what is before and of what is behind, one cycle each; and the queue may be full or empty
    /// (`docs/timing/cortex-m3.md`).
    fn overlap_cycles(&self, waits: Cycle) -> Cycle {
        2 + QUEUE_WORDS * waits
    }

    fn inputs(&self) -> &'static [&'static str] {
        &input::NAMES
    }

    /// NMI is for what nothing may delay.
    fn normal_inputs(&self) -> u64 {
        NORMAL_INPUTS
    }

    fn outputs(&self) -> &'static [&'static str] {
        &output::NAMES
    }

    fn elf_machine(&self) -> Option<ElfMachine> {
        Some(ElfMachine { number: object::elf::EM_ARM, name: "ARMv7-M", big_endian: false })
    }

    /// Of the M profile, as its attributes say.
    fn is_own_program<'a>(&self, section: &dyn Fn(u32) -> Option<&'a [u8]>) -> bool {
        is_m_profile(section)
    }

    /// `$a`, `$t` and `$d`.
    fn is_mapping_symbol(&self, name: &str) -> bool {
        name.starts_with('$')
    }

    /// Bit 0 selects Thumb state and is no part of the address.
    fn instruction_address(&self, address: u32) -> u32 {
        address & !1
    }

    fn explain(&self, exception: &Exception, refused: Option<&Refused>, system: &System) -> String {
        explain::explain(exception, refused, system)
    }

    fn dead_vector(&self, vector: u32, system: &System) -> Option<String> {
        explain::dead_vector(vector, system)
    }
}
