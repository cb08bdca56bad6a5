//! The architecture of the core of these tests.

use cyclescope_engine::bus::{Exception, Width};
use cyclescope_engine::core::{Architecture, Refused};
use cyclescope_engine::processor::{Bound, Processor};
use cyclescope_engine::registry::parameters;
use cyclescope_engine::system::System;
use serde::Deserialize;

use crate::core::{Toy, DATA, ILLEGAL, INPUTS, OUTPUTS, REFUSED};

/// It has no state.
pub struct ToyArchitecture;

/// `[core].parameters`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    stack_top: u16,
}

impl Architecture for ToyArchitecture {
    fn kind(&self) -> &'static str {
        "toy"
    }

    fn make(&self, given: toml::Table) -> Result<Box<dyn Processor>, String> {
        let Parameters { stack_top } = parameters(given)?;
        Ok(Box::new(Bound::<Toy>::new(Toy::new(stack_top))))
    }

    fn inputs(&self) -> &'static [&'static str] {
        &INPUTS
    }

    fn outputs(&self) -> &'static [&'static str] {
        &OUTPUTS
    }

    fn explain(&self, exception: &Exception, refused: Option<&Refused>, _: &System) -> String {
        let (vector, word) = ((exception.vector / 2) as u16, exception.at / 2);
        match (vector, refused) {
            (ILLEGAL, _) => format!("Illegal opcode at word {word:#x}"),
            (REFUSED, Some(refused)) if !refused.access.is_code() => {
                let address = refused.address - DATA;
                format!("No data at {address:#x}, asked for at word {word:#x}")
            }
            (REFUSED, _) => format!("No program at word {word:#x}"),
            _ => {
                format!("Interrupt from {} before word {word:#x}", INPUTS[usize::from(vector) - 1])
            }
        }
    }

    fn dead_vector(&self, vector: u32, system: &System) -> Option<String> {
        let opcode = system.peek(vector, Width::Half);
        let empty = opcode.is_none_or(|opcode| opcode == 0);
        empty.then(|| format!("no handler is at word {:#x}", vector / 2))
    }
}
