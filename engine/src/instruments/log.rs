//! Records that an instrument writes and its reader takes.

use std::sync::{Arc, Mutex, PoisonError};

/// A list with two ends: the instrument's and the reader's.
#[derive(Debug)]
pub struct Log<T>(Arc<Mutex<Vec<T>>>);

impl<T> Log<T> {
    /// The same list.
    fn share(&self) -> Self {
        Log(Arc::clone(&self.0))
    }

    /// Adds one.
    pub fn push(&self, item: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }

    /// Takes all that is there, in order.
    fn take(&self) -> Vec<T> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log(Arc::default())
    }
}

/// The reader's end.
#[derive(Debug)]
pub struct Reader<T>(Log<T>);

impl<T> Reader<T> {
    /// Takes what the instrument has recorded since, in order.
    pub fn take(&self) -> Vec<T> {
        self.0.take()
    }

    /// The instrument's end.
    pub(super) fn log(&self) -> Log<T> {
        self.0.share()
    }
}

impl<T> Default for Reader<T> {
    fn default() -> Self {
        Reader(Log::default())
    }
}
