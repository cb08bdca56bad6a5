//! Registers: of the core, or of a thread whose kernel has put them into memory.

use std::num::NonZeroUsize;

use cyclescope_engine::board::Board;
use gdbstub::target::ext::base::single_register_access::SingleRegisterAccess;
use gdbstub::target::{TargetError, TargetResult};

use crate::arch::Number;
use crate::debuggee::Debuggee;
use crate::host::{BoardResult, Host, Saved};
use crate::layout::{Register, Source};

impl<H: Host> Debuggee<'_, H> {
    /// The values of a thread's registers in the order of the layout.
    pub(crate) fn values(&mut self, thread: NonZeroUsize) -> Result<Vec<Option<u32>>, H::Error> {
        let saved = self.saved(thread)?;
        let (layout, host) = (&self.layout, &mut self.host);
        Ok(host.with_board(|board| {
            let core = board.core().registers();
            let value = |register: &Register| match &saved {
                Some(saved) => word(board, place(saved, register.name)?),
                None => match register.source {
                    Source::Address => Some(board.pc()),
                    Source::Core(name) => core.iter().find(|one| one.0 == name).map(|one| one.1),
                },
            };
            layout.registers().map(value).collect()
        }))
    }

    /// Sets a register of a thread.
    pub(crate) fn set_value(
        &mut self,
        thread: NonZeroUsize,
        register: Register,
        value: u32,
    ) -> TargetResult<(), Self> {
        let saved = self.saved(thread).map_err(TargetError::Fatal)?;
        let set = self.host.with_board(|board| match &saved {
            Some(saved) => place(saved, register.name).map(|place| set_word(board, place, value)),
            None => Some(match register.source {
                Source::Address => board.set_pc(value),
                Source::Core(name) => board.set_register(name, value),
            }),
        });
        set.and_then(Result::ok).ok_or(TargetError::NonFatal)
    }
}

fn place<'a>(saved: &'a [Saved], register: &str) -> Option<&'a Saved> {
    saved.iter().find(|one| one.register == register)
}

fn word(board: &Board, place: &Saved) -> Option<u32> {
    let bytes = board.peek(place.address, 4).try_into().ok()?;
    Some(u32::from_le_bytes(bytes).wrapping_add_signed(place.offset))
}

fn set_word(board: &mut Board, place: &Saved, value: u32) -> BoardResult<()> {
    board.poke(place.address, &value.wrapping_sub(place.offset as u32).to_le_bytes())
}

impl<H: Host> SingleRegisterAccess<NonZeroUsize> for Debuggee<'_, H> {
    fn read_register(
        &mut self,
        thread: NonZeroUsize,
        number: Number,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let numbered = |one: &(usize, Register)| one.1.number == number.0;
        let found = self.layout.registers().copied().enumerate().find(numbered);
        let (index, Register { bytes, .. }) = found.ok_or(())?;
        let value = self.values(thread).map_err(TargetError::Fatal)?[index].ok_or(())?;
        buffer[..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        Ok(bytes)
    }

    fn write_register(
        &mut self,
        thread: NonZeroUsize,
        number: Number,
        value: &[u8],
    ) -> TargetResult<(), Self> {
        let found = self.layout.registers().find(|one| one.number == number.0).copied();
        let register = found.filter(|one| one.bytes == value.len()).ok_or(())?;
        self.set_value(thread, register, number_of(value))
    }
}

/// The number in these bytes, 4 at most, the lowest first.
pub(crate) fn number_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
