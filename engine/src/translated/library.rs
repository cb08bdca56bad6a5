//! Functions of the host, each with what its core must know of it.

use std::sync::Mutex;

use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::Context;

use super::host_code::{HostCode, Refusal};
use super::Made;

/// All translations of a core.
pub(crate) struct Library<T> {
    translations: Vec<T>,
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

    /// A translation that was made and not forgotten.
    #[inline(always)]
    pub fn get(&self, number: u32) -> &T {
        &self.translations[number as usize]
    }

    /// Compiles what `emit` builds; `keep` makes the translation of the function's address and of what `emit` returns.
    /// Returns the number of the translation, and the bytes of the function.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn make<X>(
        &mut self,
        emit: impl FnOnce(&mut Context, &dyn TargetIsa) -> X,
        keep: impl FnOnce(*const u8, X) -> T,
    ) -> Result<(u32, usize), Refusal> {
        let code = self.code.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let isa = code.isa().ok_or(Refusal::Host)?;
        let emitted = emit(code.context(), &*isa);
        let (function, bytes) = code.compile()?;
        self.translations.push(keep(function, emitted));
        Ok((self.translations.len() as u32 - 1, bytes))
    }
}
