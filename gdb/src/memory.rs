//! Registers and memory: the base that every debugger needs.

use std::num::NonZeroUsize;

use gdbstub::target::ext::base::multithread::{MultiThreadBase, MultiThreadResumeOps};
use gdbstub::target::ext::base::single_register_access::SingleRegisterAccessOps;
use gdbstub::target::ext::thread_extra_info::ThreadExtraInfoOps;
use gdbstub::target::{TargetError, TargetResult};

use crate::arch::Values;
use crate::debuggee::Debuggee;
use crate::host::Host;
use crate::registers::number_of;

/// gdb's error number for an address at which nothing is (EFAULT).
const BAD_ADDRESS: u8 = 14;

impl<H: Host> MultiThreadBase for Debuggee<'_, H> {
    fn read_registers(
        &mut self,
        values: &mut Values,
        thread: NonZeroUsize,
    ) -> TargetResult<(), Self> {
        let found = self.values(thread).map_err(TargetError::Fatal)?;
        for (register, value) in self.layout.registers().zip(found) {
            let bytes = value.map(u32::to_le_bytes);
            values.0.extend((0..register.bytes).map(|n| bytes.map(|all| all[n])));
        }
        Ok(())
    }

    fn write_registers(&mut self, values: &Values, thread: NonZeroUsize) -> TargetResult<(), Self> {
        let registers: Vec<_> = self.layout.registers().copied().collect();
        let bytes: Vec<u8> = values.0.iter().copied().map_while(|byte| byte).collect();
        let mut rest = bytes.as_slice();
        for register in registers {
            let Some((value, behind)) = rest.split_at_checked(register.bytes) else { break };
            self.set_value(thread, register, number_of(value))?;
            rest = behind;
        }
        Ok(())
    }

    fn support_single_register_access(
        &mut self,
    ) -> Option<SingleRegisterAccessOps<'_, NonZeroUsize, Self>> {
        Some(self)
    }

    fn read_addrs(
        &mut self,
        address: u32,
        data: &mut [u8],
        _thread: NonZeroUsize,
    ) -> TargetResult<usize, Self> {
        let bytes = self.host.with_board(|board| board.peek(address, data.len()));
        if bytes.is_empty() && !data.is_empty() {
            return Err(TargetError::Errno(BAD_ADDRESS));
        }
        data[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write_addrs(
        &mut self,
        address: u32,
        data: &[u8],
        _thread: NonZeroUsize,
    ) -> TargetResult<(), Self> {
        let written = self.host.with_board(|board| board.poke(address, data));
        self.threads = None;
        written.map_err(|_| TargetError::Errno(BAD_ADDRESS))
    }

    fn list_active_threads(
        &mut self,
        is_active: &mut dyn FnMut(NonZeroUsize),
    ) -> Result<(), H::Error> {
        self.thread_ids()?.into_iter().for_each(is_active);
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}
