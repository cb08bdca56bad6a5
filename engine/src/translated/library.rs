//! Functions of the host, each with what its core must know of it.

use std::sync::Mutex;

use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::Context;

use super::graph::Bound;
use super::host_code::{HostCode, Refusal};
use super::Made;

/// A function, for the frame of its core and the number of an entry. It returns how it was left.
pub(crate) type Function<F> = extern "C" fn(*mut F, u32) -> u32;

/// An entry: which function, which of its places, how the program must come there, and how far the next event must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<C> {
    translation: u32,
    pub place: u32,
    pub comes: C,
    pub slowest: u32,
}

/// A translation that executes so many instructions each time that it is entered is no part of another's area.
const LONG: u64 = 1_000;

/// A translation, how often it was entered, and the instructions that it has executed.
struct Kept<T> {
    translation: T,
    entered: u64,
    executed: u64,
}

/// All translations of a core.
pub(crate) struct Library<T> {
    translations: Vec<Kept<T>>,
    code: Mutex<HostCode>,
}

impl<T> Default for Library<T> {
    fn default() -> Self {
        Library { translations: Vec::new(), code: Mutex::default() }
    }
}

impl<E> From<Refusal> for Made<E> {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Full => Made::Full,
            Refusal::Host => Made::Refused,
            Refusal::Function => Made::Nothing,
        }
    }
}

impl<T> Library<T> {
    /// Drops all functions: none may be called again.
    pub fn forget(&mut self) {
        self.translations.clear();
        self.code.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }

    /// The translation of an entry that was made and not forgotten.
    #[inline(always)]
    pub fn get<C>(&self, entry: &Entry<C>) -> &T {
        &self.translations[entry.translation as usize].translation
    }

    /// Counts an execution from an entry.
    #[inline(always)]
    pub fn count<C>(&mut self, entry: &Entry<C>, instructions: u64) {
        let kept = &mut self.translations[entry.translation as usize];
        kept.entered += 1;
        kept.executed += instructions;
    }

    /// Whether the translation of an entry runs long each time: then it costs little to enter it from another.
    pub fn runs_long<C>(&self, entry: &Entry<C>) -> bool {
        let Kept { entered, executed, .. } = self.translations[entry.translation as usize];
        executed > entered * LONG
    }

    /// Compiles the function of an area, which `emit` builds for frames `F`. `keep` makes the translation of it and of
    /// what `emit` returns. `places` are those of the area: address, how the program must come there, and bound.
    pub fn make<F, X, C>(
        &mut self,
        emit: impl FnOnce(&mut Context, &dyn TargetIsa) -> X,
        keep: impl FnOnce(Function<F>, X) -> T,
        places: impl Iterator<Item = (u32, C, Bound)>,
    ) -> Made<Entry<C>> {
        let bytes = match self.compile(emit, keep) {
            Ok(bytes) => bytes,
            Err(refusal) => return refusal.into(),
        };
        let translation = self.translations.len() as u32 - 1;
        let entries = places.zip(0..).filter(|((_, _, bound), _)| bound.is_entry);
        let entries = entries.map(|((key, comes, Bound { slowest, .. }), place)| {
            (key, Entry { translation, place, comes, slowest })
        });
        Made::Entries(entries.collect(), bytes)
    }

    /// Keeps one more translation. Returns the bytes of its function.
    fn compile<F, X>(
        &mut self,
        emit: impl FnOnce(&mut Context, &dyn TargetIsa) -> X,
        keep: impl FnOnce(Function<F>, X) -> T,
    ) -> Result<usize, Refusal> {
        let code = self.code.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let isa = code.isa().ok_or(Refusal::Host)?;
        let emitted = emit(code.context(), &*isa);
        let (function, bytes) = code.compile()?;
        // SAFETY: a core's emitter begins functions with these parameters and this result (`flow::begin_function`), for
        // its own frames. The code stays until `forget` drops the address too.
        let function = unsafe { std::mem::transmute::<*const u8, Function<F>>(function) };
        let translation = keep(function, emitted);
        self.translations.push(Kept { translation, entered: 0, executed: 0 });
        Ok(bytes)
    }
}
