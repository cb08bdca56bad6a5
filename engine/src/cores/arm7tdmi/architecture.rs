//! Facts about ARM7TDMI and ARM7TDMI-S that a board needs.

use serde::Deserialize;

use super::blocks::Blocks;
use super::declared::{Declared, MOST_CONTEXTS};
use super::exceptions::input;
use super::outline::InstructionOutline;
use super::{faults, Arm7tdmi};
use crate::bus::Exception;
use crate::core::{Architecture, ElfMachine, Refused};
use crate::cores::build_attributes::is_m_profile;
use crate::pricing::Outline;
use crate::processor::{Bound, Processor};
use crate::registry::parameters;
use crate::system::System;

/// The only one there is: it has no state.
pub static ARCHITECTURE: Arm = Arm;

/// ARMv4T as the ARM7TDMI has it.
#[derive(Debug)]
pub struct Arm;

/// `[core].parameters`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Parameters {
    variant: Option<String>,
    merged_is: Option<MergedIs>,
    declared: Declared,
}

/// How the core issues the fetch after an I cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MergedIs {
    /// As S: memories use the I cycle to begin.
    Sequential,
    /// As N: the address does not follow the last one.
    Nonsequential,
}

impl Parameters {
    /// From the board file, else from recordings of the variant (docs/reference/agreement.md), else from the
    /// manual's name of the cycle.
    fn merged_is(&self) -> MergedIs {
        self.merged_is.unwrap_or(match self.variant.as_deref() {
            Some("ARM7TDMI") => MergedIs::Nonsequential,
            _ => MergedIs::Sequential,
        })
    }
}

impl Architecture for Arm {
    fn kind(&self) -> &'static str {
        "arm7tdmi"
    }

    fn make(&self, given: toml::Table) -> Result<Box<dyn Processor>, String> {
        let given: Parameters = parameters(given)?;
        let mut core = Arm7tdmi::new();
        core.set_merged(given.merged_is());
        if given.declared.register_contexts > MOST_CONTEXTS {
            return Err(format!("declared.register_contexts is at most {MOST_CONTEXTS}"));
        }
        core.declare(given.declared);
        Ok(Box::new(Bound::<Arm7tdmi, Blocks<System>>::new(core)))
    }

    fn outline(&self, given: toml::Table) -> Result<Option<Box<dyn Outline>>, String> {
        let given: Parameters = parameters(given)?;
        let mut core = Arm7tdmi::new();
        core.set_merged(given.merged_is());
        Ok(Some(Box::new(InstructionOutline::new(core))))
    }

    fn older_parameters(&self) -> &'static [&'static str] {
        &["variant", "merged_is"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &input::NAMES
    }

    /// FIQ is for what even critical sections must not delay.
    fn normal_inputs(&self) -> u64 {
        1 << input::IRQ
    }

    fn elf_machine(&self) -> Option<ElfMachine> {
        Some(ElfMachine { number: object::elf::EM_ARM, name: "ARM", big_endian: false })
    }

    /// Of no M profile, as its attributes say.
    fn is_own_program<'a>(&self, section: &dyn Fn(u32) -> Option<&'a [u8]>) -> bool {
        !is_m_profile(section)
    }

    fn states_moves(&self) -> bool {
        true
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
        faults::explain(exception, refused, system)
    }

    fn dead_vector(&self, vector: u32, system: &System) -> Option<String> {
        faults::dead_vector(vector, system)
    }
}
