//! Code of the host for hot blocks: all that does not depend on the core.
//!
//! A core counts executions of its blocks (`heat`). A hot one becomes an area with the blocks that it leads to, and
//! the area one function of the host (`library`). The core says how it decodes a block and where that leads, how an
//! instruction becomes code, and what its cycles are. All code that is kept has a bound. It is dropped when the bus
//! says that decoded code is void.

#[cfg(not(all(feature = "translate", target_arch = "x86_64")))]
pub(crate) mod absent;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
pub(crate) mod flow;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
pub(crate) mod graph;
mod heat;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
#[allow(unsafe_code)]
pub(crate) mod host_code;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod library;

use std::time::Instant;

use crate::processor::Translations;

pub(crate) use heat::Heat;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
pub(crate) use library::{Entry, Function, Library};

/// The outcome of a translation, with a core's entries `E`.
#[cfg_attr(not(all(feature = "translate", target_arch = "x86_64")), allow(dead_code))] // one becomes
pub(crate) enum Made<E> {
    /// Entries, by the address of their block; and the bytes of the function.
    Entries(Vec<(u32, E)>, usize),
    /// The code does not pay, or cannot be translated.
    Nothing,
    /// No memory is left: all must be forgotten first.
    Full,
    /// This host gives no memory for code.
    Refused,
}

/// Translates, and counts the work. Reports it if this host refuses memory for code.
pub(crate) fn counted<E>(
    translations: &mut Translations,
    translate: impl FnOnce() -> Made<E>,
) -> Made<E> {
    let begun = Instant::now();
    let made = translate();
    translations.seconds += begun.elapsed().as_secs_f64();
    match &made {
        Made::Entries(_, bytes) => {
            translations.functions += 1;
            translations.bytes += *bytes as u64;
        }
        Made::Refused => report_refusal(),
        Made::Nothing | Made::Full => {}
    }
    made
}

/// Reports once, on standard error, that nothing is translated here.
#[cold]
fn report_refusal() {
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    {
        static REPORTED: std::sync::Once = std::sync::Once::new();
        REPORTED.call_once(|| {
            eprintln!(
                "This host grants no memory for translated code: blocks run, with the same results."
            );
        });
    }
}
