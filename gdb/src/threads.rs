//! Threads: the tasks of the program's kernel, or the core alone.

use std::num::NonZeroUsize;

use gdbstub::target::ext::thread_extra_info::ThreadExtraInfo;

use crate::debuggee::Debuggee;
use crate::host::{Host, Saved, Thread};

/// The thread of a program without a kernel.
const CORE: u32 = 1;

impl<H: Host> Debuggee<'_, H> {
    fn threads(&mut self) -> Result<&[Thread], H::Error> {
        if self.threads.is_none() {
            let mut threads = self.host.threads()?;
            if !threads.iter().any(|thread| thread.saved.is_none()) {
                threads.insert(0, Thread { id: CORE, label: "core".into(), saved: None });
            }
            self.threads = Some(threads);
        }
        Ok(self.threads.as_deref().unwrap_or_default())
    }

    /// All threads, the running one first.
    pub(crate) fn thread_ids(&mut self) -> Result<Vec<NonZeroUsize>, H::Error> {
        Ok(self.threads()?.iter().filter_map(id).collect())
    }

    /// The thread that runs: its registers are the core's.
    pub(crate) fn running(&mut self) -> Result<NonZeroUsize, H::Error> {
        let running = self.threads()?.iter().find(|thread| thread.saved.is_none());
        Ok(running.and_then(id).unwrap_or(NonZeroUsize::MIN))
    }

    /// Where the registers of a thread are; `None`: in the core.
    pub(crate) fn saved(&mut self, wanted: NonZeroUsize) -> Result<Option<Vec<Saved>>, H::Error> {
        let found = self.threads()?.iter().find(|thread| id(thread) == Some(wanted));
        Ok(found.and_then(|thread| thread.saved.clone()))
    }
}

fn id(thread: &Thread) -> Option<NonZeroUsize> {
    NonZeroUsize::new(thread.id as usize)
}

impl<H: Host> ThreadExtraInfo for Debuggee<'_, H> {
    fn thread_extra_info(
        &self,
        wanted: NonZeroUsize,
        buffer: &mut [u8],
    ) -> Result<usize, H::Error> {
        let mut threads = self.threads.iter().flatten();
        let label = threads.find(|thread| id(thread) == Some(wanted)).map_or("", |one| &one.label);
        let count = label.len().min(buffer.len());
        buffer[..count].copy_from_slice(&label.as_bytes()[..count]);
        Ok(count)
    }
}
