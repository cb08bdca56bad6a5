//! A device: registers, events in time, inputs, and one port to the world.

use crate::bus::{Abort, Access, Width};
use crate::framing::Framing;
use crate::time::Cycle;

/// Index into [`Device::outputs`].
pub type Output = usize;
/// Index into [`Device::inputs`].
pub type Input = usize;
/// Names an event of one device; a device has at most one pending event per tag.
pub type Tag = u32;

/// A peripheral. It never knows another device: it meets them through named outputs and inputs
/// that the board file connects. All methods run at a definite cycle, [`Port::now`].
pub trait Device: Send + Sync {
    /// Names of the signals it drives, in the order of [`Output`].
    fn outputs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Names of the signals it listens to, in the order of [`Input`]. All are at level 0 until they change.
    fn inputs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns to the state after reset and drives its outputs.
    fn reset(&mut self, port: &mut Port);

    /// Reads a register. `offset` is from the device's base, aligned to `width`; bits beyond `width` are
    /// dropped from the value. Behind a bus of words alone every access is a word.
    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32;

    /// Whether a read of the register at `offset` would change nothing, now and whenever it is
    /// repeated. It must also give the same value until the device's next event, write,
    /// acknowledge, or change of an input. `true` lets a board skip a loop that polls it; `false`
    /// is always right.
    fn steady(&self, _offset: u32) -> bool {
        false
    }

    /// Writes a register; `value` has no bits beyond `width`.
    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port);

    /// Writes the bits of `mask` alone, as an instruction that sets or clears one bit does; `value` has no others. By
    /// default the rest is written as it reads. Not so in a register where written ones act.
    fn write_bits(&mut self, offset: u32, width: Width, mask: u32, value: u32, port: &mut Port) {
        let old = self.read(offset, width, port);
        self.write(offset, width, old & !mask | value, port);
    }

    /// A copy that a debugger may read in its stead, so that the read leaves no trace. `None`: a debugger
    /// cannot read its registers.
    fn copy(&self) -> Option<Box<dyn Device>> {
        None
    }

    /// An event it scheduled is due.
    fn event(&mut self, _tag: Tag, _port: &mut Port) {}

    /// A [transfer](Port::transfer) that it asked for is complete: the value read (0 of a write), or
    /// [`Abort`] where nothing answers. A transfer that it asks for here may continue a burst.
    fn transferred(&mut self, _tag: Tag, _answer: Result<u32, Abort>, _port: &mut Port) {}

    /// A connected input has a new level (or, for a wire that carries values, a value).
    fn changed(&mut self, _input: Input, _level: u32, _port: &mut Port) {}

    /// The core takes the interrupt that this output requests, and acknowledges it.
    fn acknowledged(&mut self, _output: Output, _port: &mut Port) {}

    /// Of an interrupt controller: the output whose level holds the sources that it would pass on to the
    /// core now. At level 0 no interrupt gets through.
    fn passing(&self) -> Option<Output> {
        None
    }

    /// How much earlier than the board others may know that this output is about to send or change.
    fn notice(&self, _output: Output) -> Notice {
        Notice::default()
    }

    /// How characters on its serial line are framed now; `None` if it has none, or its clock is off.
    fn framing(&self) -> Option<Framing> {
        None
    }

    /// The highest level that this output may take within [`NOTICE_CYCLES`] of whatever happens next. Asked
    /// of the output that drives the core's clock.
    fn highest(&self, _output: Output) -> u32 {
        u32::MAX
    }

    /// Of an interrupt controller: the output whose level holds the sources that request and are enabled,
    /// one bit for each input, whatever is in service.
    fn requesting(&self) -> Option<Output> {
        None
    }

    /// Of an interrupt controller: the input whose request drives this output now.
    fn requester(&self, _output: Output) -> Option<Input> {
        None
    }

    /// The name of the register at an offset, as its manual has it; `None` if none is there.
    fn register(&self, _offset: u32) -> Option<String> {
        None
    }
}

/// No notice counts for longer: so long a [`Device::highest`] holds.
pub const NOTICE_CYCLES: Cycle = 1000;

/// A device's knowledge about the next values of an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// Cycles between an access, an event or a change of an input and what it makes the output send, at
    /// least.
    pub shortest_cycles: Cycle,
    /// A value that is sent at this cycle whatever happens, and before any other.
    pub leaves: Option<(Cycle, u32)>,
    /// When a value may be sent that was begun already, and that may come to nothing.
    pub under_way: Option<Cycle>,
    /// Values that arrive may be passed on in the same cycle.
    pub passes: bool,
    /// The device says when a character begins ([`Port::begin`]).
    pub begins: bool,
}

/// The service of an interrupt controller to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// The program has asked for the source, which is in service now.
    Begun,
    /// The source requested again while its last request was remembered: one of the two is lost.
    Merged,
}

/// One effect a device asked for, applied by the board right after the call, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Call [`Device::event`] with `tag` at `at`, instead of any earlier request for that tag.
    Schedule {
        /// Which event.
        tag: Tag,
        /// When; `None` withdraws it.
        at: Option<Cycle>,
    },
    /// An output has this level from now on; listeners hear of it only if it differs from the last.
    Drive {
        /// Which output.
        output: Output,
        /// The new level.
        level: u32,
    },
    /// An output carries this value now (a byte on a wire); listeners hear of it every time.
    Send {
        /// Which output.
        output: Output,
        /// The value.
        value: u32,
    },
    /// A character begins on an output, which sends it when it ends.
    Begin {
        /// Which output.
        output: Output,
        /// The character.
        character: Character,
    },
    /// Access the board's memory.
    Transfer(Transfer),
    /// Keep a bus without an access.
    Hold(Hold),
    /// The access under way takes so many cycles more: wait states of the device's own.
    Stall(u32),
    /// A block of transfers is over: so many made it up.
    BlockEnded {
        /// Their tag.
        tag: Tag,
        /// Their number.
        transfers: u32,
    },
    /// An interrupt controller does this with the source at this input.
    Serve(Input, Service),
    /// Something was asked for that this device does not model. Reported once per text.
    Unmodelled(String),
    /// The device cannot go on; the run ends with this reason.
    Fail(String),
}

/// A character on a serial line, known from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// The value that the output sends at its end.
    pub value: u32,
    /// How its bits lie on the line.
    pub framing: Framing,
    /// When it ends, whatever happens.
    pub ends: Cycle,
}

/// One access that a device makes by itself (DMA): to a memory, or to the registers of a device.
///
/// It begins when its bus is free, in the order in which transfers were asked for. It takes that
/// bus for as many cycles as the core's own access would. A core that wants the bus meanwhile
/// waits. The data move in the cycle in which it completes; then [`Device::transferred`] is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Names it to [`Device::transferred`].
    pub tag: Tag,
    /// Where; bits below the width are ignored.
    pub address: u32,
    /// Its width, and whether it counts as sequential.
    pub access: Access,
    /// The value to write; none: it reads.
    pub write: Option<u32>,
    /// Asked for when another one completes, it begins at once, before a core that waits: a burst. Else
    /// the core's access goes first: cycle stealing.
    pub burst: bool,
}

/// Cycles in which a device has a bus and moves nothing: a controller that takes it over or hands it back.
/// Served like a [`Transfer`]; when they are over [`Device::transferred`] is called with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Names it to [`Device::transferred`].
    pub tag: Tag,
    /// An address that the bus leads to.
    pub address: u32,
    /// How long, 1 at least.
    pub cycles: u32,
    /// As of a transfer.
    pub burst: bool,
}

/// A device's one door to the world.
#[derive(Debug, Default)]
pub struct Port {
    now: Cycle,
    effects: Vec<Effect>,
}

impl Port {
    /// A door opened at cycle `now`.
    pub fn new(now: Cycle) -> Self {
        Port { now, effects: Vec::new() }
    }

    /// The current cycle. During a register access it is the cycle at which the access completes.
    #[inline]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// Asks for [`Device::event`] with `tag` at cycle `at` (at the earliest: now).
    #[inline]
    pub fn schedule(&mut self, tag: Tag, at: Cycle) {
        self.effects.push(Effect::Schedule { tag, at: Some(at) });
    }

    /// Withdraws the event `tag`.
    #[inline]
    pub fn cancel(&mut self, tag: Tag) {
        self.effects.push(Effect::Schedule { tag, at: None });
    }

    /// Drives a level.
    #[inline]
    pub fn drive(&mut self, output: Output, level: u32) {
        self.effects.push(Effect::Drive { output, level });
    }

    /// Sends a value.
    #[inline]
    pub fn send(&mut self, output: Output, value: u32) {
        self.effects.push(Effect::Send { output, value });
    }

    /// Says that a character begins, which [`Port::send`] sends when it ends.
    #[inline]
    pub fn begin(&mut self, output: Output, character: Character) {
        self.effects.push(Effect::Begin { output, character });
    }

    /// Asks for an access to the board's memory, after which [`Device::transferred`] is called.
    #[inline]
    pub fn transfer(&mut self, transfer: Transfer) {
        self.effects.push(Effect::Transfer(transfer));
    }

    /// Asks for a bus without an access, after which [`Device::transferred`] is called.
    #[inline]
    pub fn hold(&mut self, hold: Hold) {
        self.effects.push(Effect::Hold(hold));
    }

    /// Lengthens the access under way by so many cycles. Devices and events see them pass before the core
    /// goes on. An access of the device itself, or of a debugger, is not lengthened.
    pub fn stall(&mut self, cycles: u32) {
        self.effects.push(Effect::Stall(cycles));
    }

    /// Says, for observers, that the transfers with this tag since the last block were a block: a buffer
    /// is full, empty or withdrawn.
    pub fn end_block(&mut self, tag: Tag, transfers: u32) {
        self.effects.push(Effect::BlockEnded { tag, transfers });
    }

    /// Says, for observers, how an interrupt controller serves the source at `input`.
    pub fn serve(&mut self, input: Input, service: Service) {
        self.effects.push(Effect::Serve(input, service));
    }

    /// Says that something asked for is not modelled. Say what, without cycle counts or addresses
    /// (the board adds address and pc): the same text is reported once.
    pub fn unmodelled(&mut self, what: impl Into<String>) {
        self.effects.push(Effect::Unmodelled(what.into()));
    }

    /// Says that the device cannot go on, and why: the run ends at the next instruction boundary.
    pub fn fail(&mut self, why: impl Into<String>) {
        self.effects.push(Effect::Fail(why.into()));
    }

    /// Moves the door to another cycle and takes what was asked for so far (for the board, and for tests).
    pub fn take(&mut self, now: Cycle) -> Vec<Effect> {
        self.now = now;
        std::mem::take(&mut self.effects)
    }

    /// Whether anything was asked for.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }
}
