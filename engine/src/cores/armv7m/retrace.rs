//! Executes instructions one by one along a path whose registers are known, without a board.
//!
//! The executor and the pipeline are those of the core. Memories answer at once, but where the caller says that they
//! wait, and nothing interrupts: what a board adds to that, the caller knows.

use std::collections::HashMap;

use super::exceptions::Leave;
use super::{Armv7m, LR, PC, SP};
use crate::bus::{Abort, Access, Bus, Exception, Pending, Status};
use crate::pricing::{Accessed, Ending, Retrace, Retraced};
use crate::time::Cycle;

/// The core, and the memories of the path.
#[derive(Clone, Debug)]
pub(super) struct PathOfCortexM3 {
    core: Armv7m,
    memories: Memories,
}

/// The image, and everything that the path has written since.
#[derive(Clone, Debug, Default)]
struct Memories {
    now: Cycle,
    bytes: HashMap<u32, u8>,
    accesses: Vec<Accessed>,
    /// Places whose accesses wait: begin, end, cycles.
    waits: Vec<(u32, u32, u32)>,
    /// The value of a place that no one has written. Only a load of the program counter matters, and that is it.
    otherwise: u32,
}

impl Memories {
    fn note(&mut self, address: u32, access: Access, write: bool) {
        let bytes = access.width().bytes() as u8;
        let place = self.waits.iter().find(|(begin, end, _)| (*begin..*end).contains(&address));
        self.now += place.map_or(0, |(_, _, cycles)| Cycle::from(*cycles));
        self.accesses.push(Accessed { at: self.now, address, bytes, write });
    }
}

impl Bus for Memories {
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if !access.is_code() {
            self.note(address, access, false);
        }
        let byte = |place: u32| {
            let known = self.bytes.get(&address.wrapping_add(place));
            known.copied().unwrap_or((self.otherwise >> (8 * place)) as u8)
        };
        Ok((0..access.width().bytes())
            .fold(0, |all, place| all | u32::from(byte(place)) << (8 * place)))
    }

    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        self.note(address, access, true);
        for place in 0..access.width().bytes() {
            self.bytes.insert(address.wrapping_add(place), (value >> (8 * place)) as u8);
        }
        Ok(())
    }

    fn idle(&mut self, cycles: u32) {
        self.now += Cycle::from(cycles);
    }

    fn now(&self) -> Cycle {
        self.now
    }

    fn next_check(&self) -> Cycle {
        Cycle::MAX
    }

    fn pending(&mut self) -> Pending {
        Pending::default()
    }

    fn own_access(&mut self, address: u32, access: Access, write: bool, _value: u32) {
        self.note(address, access, write);
    }

    fn boundary(&mut self, _address: u32, _status: Status, _stack: u32) -> bool {
        false
    }

    fn excepted(&mut self, _exception: &Exception) {}
}

impl PathOfCortexM3 {
    pub fn new(core: Armv7m) -> Self {
        PathOfCortexM3 { core, memories: Memories::default() }
    }

    fn set(&mut self, registers: &[u32; 16], status: u32) {
        let core = &mut self.core;
        core.r[..SP].copy_from_slice(&registers[..SP]);
        (core.r[SP], core.r[LR]) = (registers[SP], registers[LR]);
        core.set_xpsr(status);
        core.take_continuation();
        if core.pc != registers[PC] {
            (core.pc, core.ahead) = (registers[PC], None);
            core.empty_pipeline();
        }
    }
}

impl Retrace for PathOfCortexM3 {
    fn load(&mut self, address: u32, bytes: &[u8]) {
        self.memories.bytes.extend((address..).zip(bytes.iter().copied()));
    }

    fn set_waits(&mut self, begin: u32, end: u32, cycles: u32) {
        self.memories.waits.push((begin, end, cycles));
    }

    fn flush(&mut self) {
        self.core.ahead = None;
        self.core.empty_pipeline();
    }

    fn step(
        &mut self,
        registers: &[u32; 16],
        status: u32,
        following: u32,
    ) -> Result<Retraced, String> {
        self.set(registers, status);
        self.memories.now = 0;
        self.memories.otherwise = following | 1;
        let ending = match self.core.execute_next(&mut self.memories) {
            Ok(()) if self.core.pc == following => Ending::Next,
            Ok(()) => {
                return Err(format!(
                    "it goes to {:#010x}, the path to {following:#010x}",
                    self.core.pc
                ))
            }
            Err(Leave::Return(_)) => Ending::Return,
            Err(Leave::Call) => Ending::Call,
            Err(leave) => return Err(format!("it ends otherwise: {leave:?}")),
        };
        let accesses = std::mem::take(&mut self.memories.accesses);
        Ok(Retraced { cycles: self.memories.now, accesses, ending })
    }

    fn copied(&self) -> Box<dyn Retrace> {
        Box::new(self.clone())
    }
}
