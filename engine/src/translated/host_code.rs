//! Code for the host: compiled by Cranelift, kept in memory that may be executed.

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::Context;
use region::{Allocation, Protection};

/// With more bytes of code than this nothing more is compiled before [`HostCode::clear`].
const MOST_BYTES: usize = 32 << 20;
/// The variable of the environment by which memory for code is refused, as some systems do.
const REFUSE: &str = "CYCLESCOPE_NO_EXECUTABLE_MEMORY";

/// Why a function was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The code that is kept fills its bound.
    Full,
    /// This host grants no memory for code, or Cranelift does not know it.
    Host,
    /// This function is too large, or a bug.
    Function,
}

/// Pages of code.
struct Pages(#[allow(dead_code)] Allocation); // kept until they are dropped

// SAFETY: an allocation is the owner of its pages, and no thread's own.
unsafe impl Send for Pages {}

/// A compiler for this host, and the code that it has made.
pub(crate) struct HostCode {
    isa: Option<OwnedTargetIsa>,
    context: Context,
    kept: Vec<Pages>,
    bytes: usize,
}

/// The compiler for this host; none where Cranelift has none, or memory for code is refused.
fn isa() -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    let settings = [
        ("opt_level", "speed"),
        ("enable_verifier", "false"),
        ("enable_alias_analysis", "false"),
        ("enable_probestack", "false"),
        ("unwind_info", "false"),
    ];
    for (name, value) in settings {
        flags.set(name, value).ok()?;
    }
    let builder = cranelift_native::builder().ok()?;
    builder.finish(settings::Flags::new(flags)).ok()
}

impl Default for HostCode {
    fn default() -> Self {
        HostCode { isa: None, context: Context::new(), kept: Vec::new(), bytes: 0 }
    }
}

impl HostCode {
    /// The compiler, made when it is asked for first.
    pub fn isa(&mut self) -> Option<OwnedTargetIsa> {
        if self.isa.is_none() && std::env::var_os(REFUSE).is_none() {
            self.isa = isa();
        }
        self.isa.clone()
    }

    /// The function to be compiled next, empty.
    pub fn context(&mut self) -> &mut Context {
        self.context.clear();
        &mut self.context
    }

    /// Compiles the function of the context. Returns its address, and how many bytes it has.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn compile(&mut self) -> Result<(*const u8, usize), Refusal> {
        let isa = self.isa().ok_or(Refusal::Host)?;
        let compiled = self.context.compile(&*isa, &mut ControlPlane::default());
        let compiled = compiled.map_err(|_| Refusal::Function)?;
        // Nothing is linked: functions of the engine are called by their addresses.
        if !compiled.buffer.relocs().is_empty() {
            return Err(Refusal::Function);
        }
        let code = compiled.code_buffer();
        if self.bytes + code.len() > MOST_BYTES {
            return Err(Refusal::Full);
        }
        let mut memory =
            region::alloc(code.len(), Protection::READ_WRITE).map_err(|_| Refusal::Host)?;
        let at = memory.as_mut_ptr::<u8>();
        // SAFETY: the pages are fresh, ours alone, and at least as long as the code.
        let done = unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), at, code.len());
            region::protect(at, code.len(), Protection::READ_EXECUTE)
        };
        done.map_err(|_| Refusal::Host)?;
        let length = code.len();
        self.bytes += memory.len();
        self.kept.push(Pages(memory));
        Ok((at, length))
    }

    /// Drops all code: nothing that was compiled may be called again.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }
}
