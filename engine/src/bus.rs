//! The passage between a core and its board: every call spends cycles.

mod access;

pub use access::{Access, Width};

use crate::moves::Move;
use crate::time::Cycle;

/// The memory system refused an access: the core takes its prefetch or data abort exception.
/// The board keeps the reason; the guest only learns that it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abort;

/// An access that was [begun](Bus::begin) and is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The value read, as memory held it when the access began; 0 for a write.
    pub value: u32,
    /// When it completes.
    pub completes: Cycle,
}

/// Requests that a core checks at an instruction boundary, once the time in [`Bus::next_check`] has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Bit n: input n of the core is requested, behind the synchroniser. The core numbers its inputs by
    /// [`Architecture::inputs`](crate::core::Architecture::inputs).
    pub inputs: u64,
    /// The board wants the core to leave [`Core::run`](crate::core::Core::run) here.
    pub stop: bool,
}

impl Pending {
    /// The same, with input `n` requested.
    #[must_use]
    pub const fn with(self, n: usize) -> Self {
        Pending { inputs: self.inputs | 1 << n, ..self }
    }

    /// Whether input `n` is requested.
    #[inline(always)]
    pub const fn has(self, n: usize) -> bool {
        self.inputs >> n & 1 != 0
    }
}

/// Why a core leaves the program for a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionKind {
    /// The interrupt of this input.
    Interrupt(usize),
    /// An instruction of the program asked for it: normal traffic.
    Call,
    /// An instruction that cannot be executed, or an access that was refused.
    Fault,
}

/// One exception, as the core takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Why.
    pub kind: ExceptionKind,
    /// Address of the vector.
    pub vector: u32,
    /// The instruction that is to blame, or that did not execute because of it.
    pub at: u32,
    /// The address that the core keeps to return by.
    pub return_to: u32,
    /// The stack pointer before; 0 if it has none.
    pub stack: u32,
}

/// State that a core reports at an instruction boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Bit n: it would not take an interrupt of input n, as its mask, or its priority, stands.
    pub masked: u64,
    /// The mode that it executes in, by the core's own number.
    pub mode: u8,
}

/// A board as its core sees it. Every `read`, `write` and `idle` spends cycles; events that fall due
/// during them have fired when the call returns.
pub trait Bus {
    /// Reads at `address`, which is as issued by the core: the bus ignores the bits below the width.
    /// The value is zero-extended and not rotated.
    ///
    /// # Errors
    /// [`Abort`] when nothing answers there; the cycles are spent all the same.
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort>;

    /// Fetches an opcode: `read` of a code access.
    ///
    /// # Errors
    /// As `read`.
    #[inline(always)]
    fn fetch(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        self.read(address, access)
    }

    /// Fetches an opcode for a core whose fetches go on beside its other work: the call spends no cycles. Returns the
    /// opcode, and the cycles that the word there takes beyond the core's own.
    ///
    /// # Errors
    /// As `read`; then cycles are spent.
    #[inline(always)]
    fn fetch_beside(&mut self, address: u32, access: Access) -> Result<(u32, u32), Abort> {
        self.fetch(address, access).map(|opcode| (opcode, 0))
    }

    /// Fetches two opcodes of 16 bits as two calls of [`fetch_beside`](Bus::fetch_beside) would; the first is in the
    /// low half. Returns none, and does nothing, where one waits or something else may happen.
    #[inline(always)]
    fn fetch_pair_beside(&mut self, _address: u32) -> Option<u32> {
        None
    }

    /// Whether a device has transferred by itself since reset: a core whose fetches go on beside its other work asks in
    /// each cycle whether their memory [is kept](Bus::is_kept).
    #[inline(always)]
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether a device keeps the core from the memory at `address` in this cycle.
    fn is_kept(&self, _address: u32) -> bool {
        false
    }

    /// Fetches the first two opcodes of `width` at `address`, the first after a break in the flow,
    /// as two calls of `fetch` would. Returns none, and does nothing, where they are to be fetched
    /// one by one.
    #[inline(always)]
    fn refill(&mut self, _address: u32, _width: Width) -> Option<[u32; 2]> {
        None
    }

    /// Writes the low bits of `value` at `address` (as issued; low bits ignored as in `read`).
    ///
    /// # Errors
    /// [`Abort`] when nothing answers there; the cycles are spent all the same.
    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort>;

    /// Writes the bits of `mask` alone in a register or memory of at most 32 bits: a device decides by itself what the
    /// others do. Bits of `value` outside `mask` are 0. By default it reads and writes the whole.
    ///
    /// # Errors
    /// As `read` and `write`.
    fn write_bits(
        &mut self,
        address: u32,
        mask: u32,
        value: u32,
        access: Access,
    ) -> Result<(), Abort> {
        let old = self.read(address, access)?;
        self.write(address, old & !mask | value, access)
    }

    /// Reads `count` words, one at least, as so many reads of data would, the first N and the
    /// others S. Returns none, and does nothing, where they are to be read one by one.
    #[inline(always)]
    fn read_words(&mut self, _address: u32, _count: u32) -> Option<&[u8]> {
        None
    }

    /// The place of `count` words, one at least, for so many writes of data, the first N and the
    /// others S. The writes have been made by then. Returns none, and does nothing, where they are
    /// to be written one by one.
    #[inline(always)]
    fn write_words(&mut self, _address: u32, _count: u32) -> Option<&mut [u8]> {
        None
    }

    /// Spends internal (I) cycles, without a memory request.
    fn idle(&mut self, cycles: u32);

    /// Begins an access and returns without waiting for it, so that a core with several buses has several
    /// accesses under way. Waits only until the bus that leads to `address` is free. A read takes its
    /// value at the beginning, and a write (`write` is some) changes memory then.
    ///
    /// A core that overlaps two accesses begins the one and makes the other as ever; then it
    /// [waits](Bus::wait):
    ///
    /// ```
    /// # use cyclescope_engine::bus::{Abort, Access, Bus, Width};
    /// # fn load_beside_fetch(bus: &mut impl Bus, pc: u32, address: u32) -> Result<(u32, u32), Abort> {
    /// let fetch = bus.begin(pc, Access::code(Width::Half), None)?;
    /// let loaded = bus.read(address, Access::data(Width::Byte))?;
    /// bus.wait(fetch.completes);
    /// # Ok((fetch.value, loaded))
    /// # }
    /// ```
    ///
    /// On two buses the two accesses take as long as the longer one. On one bus they take as long
    /// as both. Devices see the cycle in which they are accessed. So an access to a device, or to
    /// nothing, is waited for here. So is every access on a bus that does not overlap any.
    ///
    /// # Errors
    /// As `read` and `write`.
    fn begin(&mut self, address: u32, access: Access, write: Option<u32>) -> Result<Begun, Abort> {
        let value = match write {
            Some(value) => self.write(address, value, access).map(|()| 0)?,
            None => self.read(address, access)?,
        };
        Ok(Begun { value, completes: self.now() })
    }

    /// Waits until this cycle, if it is to come: for an access that was [begun](Bus::begin).
    fn wait(&mut self, _until: Cycle) {}

    /// Cycles spent since reset.
    fn now(&self) -> Cycle;

    /// Cycle of the next check: boundaries from here on must look at [`Bus::pending`], those before need
    /// not.
    fn next_check(&self) -> Cycle;

    /// Returns the requests pending now. Called only when `now() >= next_check()`.
    fn pending(&mut self) -> Pending;

    /// Notifies the source of input `n` that the core takes its interrupt; the source may withdraw the
    /// request. Returns the level that requested it, which may carry a vector's number. Spends no cycle.
    /// Cores whose interrupts need no acknowledge never call it.
    fn acknowledge(&mut self, _n: usize) -> u32 {
        0
    }

    /// Drives output `n` of the core, as [`Architecture::outputs`](crate::core::Architecture::outputs) numbers
    /// them: what an instruction asks of the part around the core. Spends no cycle.
    fn signal(&mut self, _n: usize, _level: u32) {}

    /// From now on the core's output [`REQUESTED`](crate::core::REQUESTED) counts the inputs of this mask alone.
    fn wakes_by(&mut self, _inputs: u64) {}

    /// The core has accessed a register of its own, which no access to the bus shows. For observers; spends no cycle.
    fn own_access(&mut self, _address: u32, _access: Access, _write: bool, _value: u32) {}

    /// The program asked for something of the core that is not modelled. Says what; the same text is reported once.
    fn unmodelled(&mut self, _what: &str) {}

    /// Called at every instruction boundary, after interrupts were considered. The core passes the address
    /// of the instruction about to execute, its status, and its stack pointer (0 if it has none). `true`
    /// stops the core before that instruction.
    fn boundary(&mut self, address: u32, status: Status, stack: u32) -> bool;

    /// Whether [`moving`](Bus::moving) is to be called.
    #[inline(always)]
    fn follows_moves(&self) -> bool {
        false
    }

    /// Called behind every [`boundary`](Bus::boundary) that did not stop the core, if moves are followed:
    /// what the instruction about to execute will move, as the core stands. Called once more by an
    /// exception whose entry changes registers: what the instruction has not moved by then it never does.
    fn moving(&mut self, _moves: &[Move]) {}

    /// The core begins to enter an exception that takes the place of the next instruction, in `mode`.
    fn entering(&mut self, _exception: &Exception, _mode: u8) {}

    /// The core has entered an exception and refilled its pipeline from the vector.
    fn excepted(&mut self, exception: &Exception);

    /// An instruction leaves an exception: the core restored the status that the entry had kept.
    fn left_exception(&mut self) {}
}

/// The bytes of a memory, in the hands of a core: see [`CodeBus::lend`].
#[derive(Debug, Default)]
pub struct Lent {
    /// Which memory.
    pub memory: usize,
    /// The address of its first byte.
    pub base: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Of each of its granules, whether writes are [tracked](Self::TRACKED); none where nobody asks.
    pub granules: Vec<u8>,
}

impl Lent {
    /// Bytes of a granule, as a power of two: a word, as data often lie right beside code.
    pub const GRANULE_SHIFT: u32 = 2;
    /// The bit of a granule that has code: writes there are left to the bus.
    pub const TRACKED: u8 = 0x80;

    /// The byte at `address`.
    ///
    /// # Errors
    /// [`Abort`] where none is lent.
    #[inline(always)]
    pub fn read(&self, address: u32) -> Result<u8, Abort> {
        self.bytes.get(address.wrapping_sub(self.base) as usize).copied().ok_or(Abort)
    }

    /// Writes the byte at `address`, if it was lent to be written.
    ///
    /// # Errors
    /// As `read`.
    #[inline(always)]
    pub fn write(&mut self, address: u32, value: u8) -> Result<(), Abort> {
        let byte = self.bytes.get_mut(address.wrapping_sub(self.base) as usize).ok_or(Abort)?;
        *byte = value;
        Ok(())
    }
}

/// No block of decoded code has more instructions.
pub const LONGEST_BLOCK: usize = 32;

/// A bus that runs decoded code. It says how far code may run without a look at the lines and at
/// observers, and when decoded code is void.
pub trait CodeBus: Bus {
    /// Returns the horizon: before this cycle, boundaries in this status need no check by the board. Only
    /// [breakpoints](CodeBus::has_breakpoint) need one.
    fn horizon(&self, status: Status) -> Cycle;

    /// Sets where decoded code is to pause: at the first boundary at or after `cycle`. It pauses at the
    /// next boundary if [`CodeBus::horizon`] or [`CodeBus::version`] changes before.
    fn pause_at(&mut self, cycle: Cycle);

    /// Whether decoded code is to pause at this boundary.
    fn pauses(&self) -> bool;

    /// Changes when code decoded before may be another now.
    fn version(&self) -> u64;

    /// The bytes of memory from `address` on, as long as they follow one another.
    fn code(&self, address: u32) -> Option<&[u8]>;

    /// The same, at most `length` bytes, up to the first that is rewritten too often to be
    /// [tracked](Self::track_writes).
    fn steady_code(&self, address: u32, length: usize) -> Option<&[u8]>;

    /// Tracks writes to these `length ≥ 1` bytes, which begin in memory: the next write changes
    /// [`version`](CodeBus::version). Behind the end of a memory they are those of the one that follows, if one
    /// does. Returns `false` if bytes are rewritten too often, or begin in no memory.
    fn track_writes(&mut self, address: u32, length: u32) -> bool;

    /// Bytes, a power of two, of a line of the memory at `address`: where the bus
    /// [flows](CodeBus::flows), every fetch from the line fetched last costs the same.
    fn line_bytes(&self, address: u32) -> u32;

    /// Whether a breakpoint or an instrument waits for the instruction at `address`.
    fn has_breakpoint(&self, address: u32) -> bool;

    /// [`fetch`](Bus::fetch) for the instruction at `pc`, of an opcode that is known and answered.
    fn fetch_known(&mut self, pc: u32, address: u32, access: Access);

    /// True if `address` is in the line fetched last and nothing can happen while a longest block is fetched.
    /// Then its fetches need no check between them.
    fn flows(&self, address: u32) -> bool;

    /// Returns the cycle before which nothing happens but what decoded code does: neither an event nor a pause, and
    /// nobody listens. 0 while somebody does.
    fn undisturbed_until(&self) -> Cycle;

    /// Lends the memory at `address`, if reads there, and with `written` writes too, cost nothing and change nothing
    /// else. Else no bytes are lent. Nothing is asked of the bus until they are [given back](CodeBus::give_back).
    fn lend(&mut self, address: u32, written: bool) -> Lent;

    /// Takes back what it has lent.
    fn give_back(&mut self, lent: Lent);

    /// Whether the bus still [flows](CodeBus::flows) after an access that it did not refuse.
    fn flows_on(&self) -> bool;

    /// `count` fetches from the line fetched last, as the bus flows.
    fn fetch_again(&mut self, count: u32);

    /// A fetch from another line, as the bus flows.
    fn fetch_line(&mut self, address: u32, access: Access);

    /// The instruction that executes is that at `pc`.
    fn stand_at(&mut self, pc: u32);
}
