//! A bus on which no time goes by: it has memory that costs no cycle, and refuses everything else.

use super::super::data::{place, DATA};
use super::super::Avr;
use crate::bus::{Abort, Access, Bus, CodeBus, Exception, Lent, Pending, Status};
use crate::time::Cycle;

/// Stands for the bus while blocks execute; see the file's head.
pub(super) struct Timeless {
    program: Lent,
    data: Lent,
    /// The word behind the opcode that executes.
    pub behind: u16,
    /// Those that the core has spent.
    pub cycles: u32,
}

impl Timeless {
    /// With the memories of a core's bus, as far as they cost nothing.
    pub fn borrow(core: &Avr, bus: &mut impl CodeBus) -> Self {
        let (program, data) = (bus.lend(0, false), bus.lend(place(core.stack_top), true));
        Timeless { program, data, behind: 0, cycles: 0 }
    }

    /// The memories of program and data that are lent.
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    pub fn lent(&self) -> (&Lent, &Lent) {
        (&self.program, &self.data)
    }

    /// Where their bytes begin.
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    pub fn places(&mut self) -> (*const u8, *mut u8) {
        (self.program.bytes.as_ptr(), self.data.bytes.as_mut_ptr())
    }

    /// The bus has its memories again, and spends the cycles.
    pub fn end(self, bus: &mut impl CodeBus) {
        bus.give_back(self.data);
        bus.give_back(self.program);
        bus.idle(self.cycles);
    }
}

impl Bus for Timeless {
    #[inline(always)]
    fn read(&mut self, address: u32, _access: Access) -> Result<u32, Abort> {
        let lent = if address < DATA { &self.program } else { &self.data };
        lent.read(address).map(u32::from)
    }

    #[inline(always)]
    fn fetch(&mut self, _address: u32, _access: Access) -> Result<u32, Abort> {
        Ok(self.behind.into())
    }

    #[inline(always)]
    fn write(&mut self, address: u32, value: u32, _access: Access) -> Result<(), Abort> {
        self.data.write(address, value as u8)
    }

    fn write_bits(&mut self, _: u32, _: u32, _: u32, _: Access) -> Result<(), Abort> {
        Err(Abort)
    }

    #[inline(always)]
    fn idle(&mut self, cycles: u32) {
        self.cycles += cycles;
    }

    fn now(&self) -> Cycle {
        self.cycles.into()
    }

    fn next_check(&self) -> Cycle {
        Cycle::MAX
    }

    fn pending(&mut self) -> Pending {
        Pending::default()
    }

    fn boundary(&mut self, _address: u32, _status: Status, _stack: u32) -> bool {
        false
    }

    fn excepted(&mut self, _exception: &Exception) {}
}
