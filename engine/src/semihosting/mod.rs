//! Semihosting: a guest's calls to its host (ARM DUI 0203, "Semihosting").
//!
//! ARM's numbers and blocks of 4-byte words are the host interface of every core. A core says which
//! of its instructions calls the host, and where operation and parameter stand.
//!
//! A call costs what the fetch of its instruction costs; serving it takes no time of the board. The guest
//! reaches no file of the host unless a root folder is given, and never one outside it.

mod files;
mod limits;

use crate::system::System;
use files::Files;
pub use limits::Limits;

use crate::bus::Width;
use crate::core::HostCall;
use crate::time::Cycle;

const OPEN: u32 = 0x01;
const CLOSE: u32 = 0x02;
const WRITEC: u32 = 0x03;
const WRITE0: u32 = 0x04;
const WRITE: u32 = 0x05;
const READ: u32 = 0x06;
const ISTTY: u32 = 0x09;
const SEEK: u32 = 0x0A;
const FLEN: u32 = 0x0C;
const CLOCK: u32 = 0x10;
const ERRNO: u32 = 0x13;
const GET_CMDLINE: u32 = 0x15;
const HEAPINFO: u32 = 0x16;
const EXIT: u32 = 0x18;
const EXIT_EXTENDED: u32 = 0x20;
const ELAPSED: u32 = 0x30;
const TICKFREQ: u32 = 0x31;

/// Reason code of a program that ended by itself.
const APPLICATION_EXIT: u32 = 0x20026;
const FAILED: u32 = u32::MAX;
/// A guest's string or buffer is cut here: a wild pointer must not fill the host's memory.
const LONGEST: u32 = 1 << 20;
/// Output that waits to be taken: with so much of it a run ends, so that it never fills the memory.
const MOST_WAITING: usize = 1 << 20;

/// Consequence of a served call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// The guest continues with this answer.
    Returned(u32),
    /// The guest has ended with this exit code.
    Exited(u32),
}

/// The host's side of semihosting.
#[derive(Debug)]
pub struct Semihosting {
    files: Files,
    output: Vec<u8>,
}

impl Semihosting {
    /// A host without files, or with those below `root`; the console reads `stdin`, or without one the
    /// host's own standard input.
    ///
    /// # Errors
    /// A sentence when `root` is no folder.
    pub fn new(
        root: Option<&std::path::Path>,
        stdin: Option<&[u8]>,
        limits: Limits,
    ) -> crate::error::Result<Self> {
        Ok(Semihosting { files: Files::new(root, stdin, limits)?, output: Vec::new() })
    }

    /// Takes what the guest has written to its console since.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// Whether so much output waits that it should be taken before the guest continues.
    pub fn is_full(&self) -> bool {
        self.output.len() >= MOST_WAITING
    }

    /// As before the guest's first call; the bytes given to read are read again from their start.
    pub fn reset(&mut self) {
        self.files.reset();
        self.output.clear();
    }

    /// Serves a call.
    pub fn serve(&mut self, call: HostCall, system: &mut System, now: Cycle) -> Served {
        let HostCall { operation, parameter } = call;
        let mut guest = Guest { system, block: parameter };
        let answer = match operation {
            EXIT => return Served::Exited(u32::from(parameter != APPLICATION_EXIT)),
            EXIT_EXTENDED => return Served::Exited(guest.exit_code()),
            WRITEC => self.write_character(&guest),
            WRITE0 => self.write_string(&guest),
            OPEN => self.open(&guest),
            CLOSE => guest.argument(0).and_then(|handle| self.files.close(handle)),
            WRITE => self.write(&guest),
            READ => self.read(&mut guest),
            ISTTY => guest.argument(0).and_then(|handle| self.files.is_console(handle)),
            SEEK => self.seek(&guest),
            FLEN => guest.argument(0).and_then(|handle| self.files.length(handle)),
            CLOCK => Some((guest.system.clock().seconds(now) * 100.0) as u32),
            ERRNO => Some(self.files.errno()),
            GET_CMDLINE => guest.empty_command_line(),
            HEAPINFO => guest.heap_information(),
            ELAPSED => guest.elapsed(now),
            TICKFREQ => Some(guest.system.clock().hz()),
            other => {
                guest
                    .system
                    .note_unmodelled(format!("semihosting operation {other:#04x}: it fails"));
                None
            }
        };
        if let Some(sentence) = self.files.take_refusal() {
            system.note_unmodelled(sentence);
        }
        Served::Returned(answer.unwrap_or(FAILED))
    }

    fn write_character(&mut self, guest: &Guest) -> Option<u32> {
        self.output.push(guest.byte(guest.block)?);
        Some(0)
    }

    fn write_string(&mut self, guest: &Guest) -> Option<u32> {
        for address in guest.block..guest.block.saturating_add(LONGEST) {
            match guest.byte(address)? {
                0 => return Some(0),
                byte => self.output.push(byte),
            }
        }
        None
    }

    fn open(&mut self, guest: &Guest) -> Option<u32> {
        let (name, mode) = (guest.argument(0)?, guest.argument(1)?);
        let name = guest.bytes(name, guest.argument(2)?)?;
        self.files.open(std::str::from_utf8(&name).ok()?, mode)
    }

    /// Answers the number of bytes *not* written.
    fn write(&mut self, guest: &Guest) -> Option<u32> {
        let (handle, length) = (guest.argument(0)?, guest.argument(2)?);
        let bytes = guest.bytes(guest.argument(1)?, length)?;
        let written = if self.files.is_console(handle)? == 1 {
            self.output.extend_from_slice(&bytes);
            length
        } else {
            self.files.write(handle, &bytes)?
        };
        Some(length - written)
    }

    /// Answers the number of bytes *not* read.
    fn read(&mut self, guest: &mut Guest) -> Option<u32> {
        let (handle, length) = (guest.argument(0)?, guest.argument(2)?);
        let bytes = self.files.read(handle, length.min(LONGEST))?;
        guest.store(guest.argument(1)?, &bytes)?;
        Some(length - bytes.len() as u32)
    }

    fn seek(&mut self, guest: &Guest) -> Option<u32> {
        self.files.seek(guest.argument(0)?, guest.argument(1)?)
    }
}

/// The guest's memory, and the block of arguments at the parameter of the call.
struct Guest<'a> {
    system: &'a mut System,
    block: u32,
}

impl Guest<'_> {
    fn argument(&self, index: u32) -> Option<u32> {
        self.system.peek(self.block.wrapping_add(4 * index), Width::Word)
    }

    fn byte(&self, address: u32) -> Option<u8> {
        self.system.peek(address, Width::Byte).map(|byte| byte as u8)
    }

    fn bytes(&self, address: u32, length: u32) -> Option<Vec<u8>> {
        if length > LONGEST {
            return None;
        }
        (0..length).map(|i| self.byte(address.wrapping_add(i))).collect()
    }

    fn store(&mut self, address: u32, bytes: &[u8]) -> Option<()> {
        if bytes.is_empty() {
            return Some(());
        }
        let part = self.system.bytes_from_mut(address, bytes.len())?;
        part.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(())
    }

    fn exit_code(&self) -> u32 {
        match (self.argument(0), self.argument(1)) {
            (Some(APPLICATION_EXIT), Some(code)) => code,
            _ => 1,
        }
    }

    fn elapsed(&mut self, now: Cycle) -> Option<u32> {
        self.store(self.block, &now.to_le_bytes())?;
        Some(0)
    }

    /// Heap base and limit, stack base and limit. The stack begins at the end of the memory that contains
    /// the answer; the others are 0, "not known": start-up code takes what it was linked with.
    fn heap_information(&mut self) -> Option<u32> {
        let block = self.argument(0)?;
        let end = block.wrapping_add(self.system.bytes_from(block)?.len() as u32);
        for (index, value) in [0, 0, end, 0].into_iter().enumerate() {
            self.store(block.wrapping_add(4 * index as u32), &u32::to_le_bytes(value))?;
        }
        Some(0)
    }

    fn empty_command_line(&mut self) -> Option<u32> {
        let (buffer, room) = (self.argument(0)?, self.argument(1)?);
        if room == 0 {
            return None;
        }
        self.store(buffer, &[0])?;
        self.store(self.block.wrapping_add(4), &[0; 4])?;
        Some(0)
    }
}
