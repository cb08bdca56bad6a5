//! A board's memories from outside: what is loaded, and bytes read and written without a cycle.

use super::Board;
use crate::error::{listed, Error, Result};
use crate::image::Image;

impl Board {
    /// Loads an image, now and at every reset. Its entry becomes where a reset starts.
    ///
    /// # Errors
    /// A sentence with the bytes needed when a segment lies in no memory, or when the image is for another
    /// core.
    pub fn load(&mut self, image: &Image) -> Result<()> {
        self.check_machine(image)?;
        for segment in &image.segments {
            self.check_room(&image.name, segment.address, segment.bytes.len())?;
        }
        for segment in &image.segments {
            self.place(segment.address, &segment.bytes);
        }
        self.entry = Some(image.entry);
        Ok(())
    }

    /// Loads bytes, now and at every reset.
    ///
    /// # Errors
    /// A sentence with the bytes needed when they lie in no memory.
    pub fn load_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        self.check_room("The data", address, bytes.len())?;
        self.place(address, bytes);
        Ok(())
    }

    fn check_machine(&self, image: &Image) -> Result<()> {
        let Some(machine) = image.machine else { return Ok(()) };
        if self.architecture.elf_machine() == Some(machine) {
            return Ok(());
        }
        Err(Error(format!(
            "{} is for {}, and the core of {} is {}: build it for that core, or take another board.",
            image.name,
            machine.name,
            self.name(),
            self.architecture.kind()
        )))
    }

    fn place(&mut self, address: u32, bytes: &[u8]) {
        self.system.load(address, bytes);
        self.loaded.push((address, bytes.to_vec()));
    }

    fn check_room(&self, name: &str, address: u32, length: usize) -> Result<()> {
        let (first, end) = (u64::from(address), u64::from(address) + length as u64);
        let memories = || {
            self.system.memories().iter().map(|memory| {
                let base = u64::from(memory.base);
                (memory, base, base + u64::from(memory.size()))
            })
        };
        if memories().any(|(_, from, to)| from <= first && end <= to) {
            return Ok(());
        }
        let there: Vec<_> = memories()
            .map(|(memory, from, to)| {
                format!("{} {from:#x} to {:#x} ({} bytes)", memory.name, to - 1, to - from)
            })
            .collect();
        Err(Error(format!(
            "{name} needs {length} bytes from {address:#x} to {:#x}, which lie in no memory of {}. It has {}: \
             link for one of them, or take a board with more.",
            end.saturating_sub(1),
            self.name(),
            listed(&there)
        )))
    }

    /// Memory as the guest sees it now, without a cycle.
    ///
    /// # Errors
    /// A sentence when part of it is in no memory.
    pub fn read_memory(&mut self, address: u32, length: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = address.wrapping_add(bytes.len() as u32);
            let part = self.system.bytes_from(at).ok_or_else(|| no_memory(at))?;
            let take = part.len().min(length - bytes.len());
            bytes.extend_from_slice(&part[..take]);
        }
        Ok(bytes)
    }

    /// Changes memory by hand, without a cycle, until the next reset.
    ///
    /// # Errors
    /// A sentence when part of it is in no memory.
    pub fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u32);
            let rest = &bytes[done..];
            let part = self.system.bytes_from_mut(at, rest.len()).ok_or_else(|| no_memory(at))?;
            part.copy_from_slice(&rest[..part.len()]);
            done += part.len();
        }
        Ok(())
    }
}

fn no_memory(address: u32) -> Error {
    Error(format!("There is no memory at {address:#x}: name an address inside one."))
}
