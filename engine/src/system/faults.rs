//! What went wrong in the guest, told so that a person can act on it.

use super::{System, Wish};
use crate::bus::{Access, Width};

/// Something asked for that the board does not model; each text once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmodelled {
    /// What was asked for.
    pub text: String,
    /// The address accessed, when it was an access.
    pub address: Option<u32>,
    /// The instruction that did it, when it was an access.
    pub pc: Option<u32>,
    /// When.
    pub cycle: u64,
}

/// An access that nothing answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused {
    address: u32,
    access: Access,
    write: bool,
    pc: u32,
}

const UNDEFINED: u32 = 0x04;
const SWI: u32 = 0x08;
const PREFETCH_ABORT: u32 = 0x0C;
const DATA_ABORT: u32 = 0x10;
const IRQ: u32 = 0x18;
const FIQ: u32 = 0x1C;

/// Notes of what is not modelled; a guest can think of any number.
const MOST_UNMODELLED: usize = 1000;

impl System {
    pub(super) fn report_unmodelled(&mut self, text: String) {
        if self.unmodelled.len() > MOST_UNMODELLED
            || self.unmodelled.iter().any(|entry| entry.text == text)
        {
            return;
        }
        let rest = "more than was noted here: the list is full".to_owned();
        let text = if self.unmodelled.len() == MOST_UNMODELLED { rest } else { text };
        let cycle = self.wiring.port.now();
        let pc = self.accessing.map(|_| self.hot.pc);
        self.unmodelled.push(Unmodelled { text, address: self.accessing, pc, cycle });
    }

    #[cold]
    pub(super) fn refuse(&mut self, address: u32, access: Access, write: bool) {
        self.refused = Some(Refused { address, access, write, pc: self.hot.pc });
    }

    /// An exception was entered: whether the run should end here, and why.
    pub(super) fn consider(&mut self, vector: u32, address: u32, return_address: u32) {
        if let Some(why) = self.missing_handler(vector) {
            let cause = self.cause(vector, address, return_address);
            self.wish(Wish::NoHandler(format!("{cause}, and {why}.")));
        } else if self.stop_on_exception
            && matches!(vector, UNDEFINED | PREFETCH_ABORT | DATA_ABORT)
        {
            let cause = self.cause(vector, address, return_address);
            self.wish(Wish::Exception(format!("{cause}.")));
        }
    }

    /// Why the vector leads nowhere, if so.
    fn missing_handler(&self, vector: u32) -> Option<String> {
        let Some(opcode) = self.peek(vector, Width::Word) else {
            return Some(format!("the vector at {vector:#x} is in no memory"));
        };
        match opcode {
            0 | u32::MAX => Some(format!("the vector at {vector:#x} is empty ({opcode:#010x})")),
            0xEAFF_FFFE => Some(format!("the vector at {vector:#x} is a branch to itself")),
            _ if opcode & 0xFFFF_F000 == 0xE59F_F000 => self.dangling(vector, opcode & 0xFFF),
            _ if opcode & 0xFFFF_F000 == 0xE51F_F000 => {
                self.dangling(vector, (opcode & 0xFFF).wrapping_neg())
            }
            _ => None,
        }
    }

    /// Why `ldr pc, [pc, #offset]` at `vector` leads nowhere, if so. A device's word is not looked at.
    fn dangling(&self, vector: u32, offset: u32) -> Option<String> {
        let literal = vector.wrapping_add(8).wrapping_add(offset);
        if self.map.device(literal).is_some() {
            return None;
        }
        let Some(target) = self.peek(literal, Width::Word) else {
            return Some(format!(
                "the vector at {vector:#x} loads the PC from {literal:#x}, which is in no memory"
            ));
        };
        self.map.memory(target & !3).is_none().then(|| {
            format!("the vector at {vector:#x} leads to {target:#x}, which is in no memory")
        })
    }

    fn cause(&self, vector: u32, address: u32, return_address: u32) -> String {
        let thumb = return_address.wrapping_sub(address) == 2;
        let opcode = if thumb {
            self.peek(address, Width::Half).map(|opcode| format!("{opcode:#06x}"))
        } else {
            self.peek(address, Width::Word).map(|opcode| format!("{opcode:#010x}"))
        };
        let opcode = opcode.unwrap_or_else(|| "unreadable".into());
        match vector {
            UNDEFINED => format!("Undefined instruction {opcode} at {address:#x}"),
            SWI => format!("SWI (opcode {opcode}) at {address:#x}"),
            PREFETCH_ABORT => {
                format!(
                    "Prefetch abort: the instruction at {address:#x} lies where nothing answers"
                )
            }
            DATA_ABORT => self.data_abort(address),
            IRQ => format!("Interrupt (IRQ) before {address:#x}"),
            FIQ => format!("Fast interrupt (FIQ) before {address:#x}"),
            _ => format!("Exception with vector {vector:#x} at {address:#x}"),
        }
    }

    fn data_abort(&self, pc: u32) -> String {
        let Some(refused) = self.refused.filter(|refused| !refused.access.is_code()) else {
            return format!("Data abort by the instruction at {pc:#x}");
        };
        let kind = if refused.write { "write" } else { "read" };
        format!(
            "Data abort: {kind} of {} bytes at {:#x}, where nothing answers, by the instruction at {:#x}",
            refused.access.width().bytes(),
            refused.address,
            refused.pc
        )
    }
}
