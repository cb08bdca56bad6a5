//! The core of these tests, which is no ARM. It has 16-bit opcodes in a program space that counts
//! words, data in a space of bytes, 8-bit registers, and 20 vectored interrupt inputs that it
//! acknowledges. A threshold masks the inputs from one on. It fetches the next opcode while it executes.

use cyclescope_engine::bus::{Abort, Access, Bus, Exception, ExceptionKind, Status, Width};
use cyclescope_engine::core::{Core, HostCall, Stop, REQUESTED};
use cyclescope_engine::system::System;

/// The data space on the bus; the program space lies at 0.
pub const DATA: u32 = 0x80_0000;
/// Input n has the vector at word 1 + n.
pub const INPUTS: [&str; 20] = [
    "line0", "line1", "line2", "line3", "line4", "line5", "line6", "line7", "line8", "line9",
    "line10", "line11", "line12", "line13", "line14", "line15", "line16", "line17", "line18",
    "line19",
];
/// The core drives the first one: it waits for an interrupt.
pub const OUTPUTS: [&str; 2] = ["waits", REQUESTED];
/// Words of the vectors of faults.
pub const ILLEGAL: u16 = 21;
pub const REFUSED: u16 = 22;

const FETCH: Access = Access::code(Width::Half);
const BYTE: Access = Access::data(Width::Byte);

/// Registers and what else it remembers. `pc` and `stack` count words and bytes of their own spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub r: [u8; 8],
    pub pc: u16,
    pub stack: u16,
    pub zero: bool,
    pub enabled: bool,
    pub handler: bool,
    /// Inputs from this one on are masked.
    pub threshold: u8,
    /// The level that requested the last interrupt.
    pub cause: u8,
    /// The opcode at `pc`; none where nothing answered.
    pub opcode: Option<u16>,
}

#[derive(Clone, Debug)]
pub struct Toy {
    pub state: State,
    stack_top: u16,
    host_calls: bool,
    retired: u64,
}

/// Where the program goes on.
enum Next {
    Here,
    Word(u16),
    Fault(u16),
    Host,
}

impl From<Abort> for Next {
    fn from(Abort: Abort) -> Self {
        Next::Fault(REFUSED)
    }
}

impl Toy {
    pub fn new(stack_top: u16) -> Self {
        let state = State {
            r: [0; 8],
            pc: 0,
            stack: stack_top,
            zero: false,
            enabled: false,
            handler: false,
            threshold: INPUTS.len() as u8,
            cause: 0,
            opcode: None,
        };
        Toy { state, stack_top, host_calls: false, retired: 0 }
    }

    /// The inputs that it takes no interrupt of, one bit for each.
    fn masked(&self) -> u64 {
        if self.state.enabled {
            u64::MAX << self.state.threshold
        } else {
            u64::MAX
        }
    }

    fn pointer(&self) -> u32 {
        DATA + u32::from(u16::from_le_bytes([self.state.r[6], self.state.r[7]]))
    }

    fn push<B: Bus>(&mut self, bus: &mut B, word: u16) -> Result<(), Abort> {
        for byte in word.to_le_bytes() {
            bus.write(DATA + u32::from(self.state.stack), byte.into(), BYTE)?;
            self.state.stack = self.state.stack.wrapping_sub(1);
        }
        Ok(())
    }

    fn pop<B: Bus>(&mut self, bus: &mut B) -> Result<u16, Abort> {
        let mut word = 0;
        for _ in 0..2 {
            self.state.stack = self.state.stack.wrapping_add(1);
            word = word << 8 | bus.read(DATA + u32::from(self.state.stack), BYTE)? as u16;
        }
        Ok(word)
    }

    fn jump<B: Bus>(&mut self, bus: &mut B, word: u16) {
        self.state.pc = word;
        let fetched = bus.fetch(self.address(), FETCH.after_branch());
        self.state.opcode = fetched.ok().map(|opcode| opcode as u16);
    }

    /// Enters the exception of the vector at `word`. A stack that does not answer loses the way back.
    fn enter<B: Bus>(&mut self, bus: &mut B, exception: &Exception) {
        let _ = self.push(bus, (exception.return_to / 2) as u16);
        (self.state.enabled, self.state.handler) = (false, true);
        self.jump(bus, (exception.vector / 2) as u16);
        bus.excepted(exception);
    }

    fn exception(&self, kind: ExceptionKind, word: u16) -> Exception {
        let at = self.address();
        let stack = self.state.stack.into();
        Exception { kind, vector: 2 * u32::from(word), at, return_to: at, stack }
    }

    fn interrupt<B: Bus>(&mut self, bus: &mut B, input: u32) {
        let exception = self.exception(ExceptionKind::Interrupt(input as usize), 1 + input as u16);
        bus.entering(&exception, 1);
        self.state.cause = bus.acknowledge(input as usize) as u8;
        self.enter(bus, &exception);
    }

    /// Executes an opcode while the next one is fetched.
    fn execute<B: Bus>(&mut self, bus: &mut B, opcode: u16) -> Option<Stop> {
        self.retired += 1;
        let following = 2 * u32::from(self.state.pc.wrapping_add(1));
        let fetch = bus.begin(following, FETCH.sequential(), None);
        let next = self.operate(bus, opcode).unwrap_or_else(Next::from);
        if let Ok(fetch) = fetch {
            bus.wait(fetch.completes);
        }
        let kind = ExceptionKind::Fault;
        match next {
            Next::Fault(vector) => self.enter(bus, &self.exception(kind, vector)),
            Next::Word(word) => self.jump(bus, word),
            Next::Here | Next::Host => {
                self.state.pc = self.state.pc.wrapping_add(1);
                self.state.opcode = fetch.ok().map(|fetch| fetch.value as u16);
            }
        }
        matches!(next, Next::Host).then_some(Stop::HostCall)
    }

    fn operate<B: Bus>(&mut self, bus: &mut B, opcode: u16) -> Result<Next, Abort> {
        let (r, low) = (usize::from(opcode >> 8 & 7), opcode as u8);
        let following = self.state.pc.wrapping_add(1);
        let relative = following.wrapping_add(((opcode << 4) as i16 >> 4) as u16);
        match opcode >> 12 {
            0x1 => self.state.r[r] = low,
            0x2 => self.set(r, self.state.r[r].wrapping_add(low)),
            0x3 => self.set(r, self.state.r[r].wrapping_add(self.state.r[usize::from(low & 7)])),
            0x4 => self.state.r[r] = bus.read(self.pointer() + u32::from(low), BYTE)? as u8,
            0x5 => bus.write(self.pointer() + u32::from(low), self.state.r[r].into(), BYTE)?,
            0x6 => return Ok(Next::Word(relative)),
            0x7 if !self.state.zero => return Ok(Next::Word(relative)),
            0x7 => {}
            0x8 => {
                self.push(bus, following)?;
                return Ok(Next::Word(opcode & 0xFFF));
            }
            0x9 => self.state.r[r] = bus.read(DATA + u32::from(low), BYTE)? as u8,
            0xA => bus.write(DATA + u32::from(low), self.state.r[r].into(), BYTE)?,
            0xB => self.state.zero = self.state.r[r] == low,
            _ => return self.control(bus, opcode),
        }
        Ok(Next::Here)
    }

    fn control<B: Bus>(&mut self, bus: &mut B, opcode: u16) -> Result<Next, Abort> {
        let low = opcode as u8;
        match opcode {
            0x0000 => {}
            0xC000 => return Ok(Next::Word(self.pop(bus)?)),
            0xC001 => {
                let word = self.pop(bus)?;
                (self.state.enabled, self.state.handler) = (true, false);
                bus.left_exception();
                return Ok(Next::Word(word));
            }
            0xC002 => self.state.enabled = true,
            0xC003 => self.state.enabled = false,
            0xC004 => self.state.r[0] = self.state.cause,
            0xC006 => [1, 0].into_iter().for_each(|level| bus.signal(0, level)),
            0xC100..=0xC114 => self.state.threshold = low,
            0xC005 if self.host_calls => return Ok(Next::Host),
            _ => return Ok(Next::Fault(ILLEGAL)),
        }
        Ok(Next::Here)
    }

    fn set(&mut self, r: usize, value: u8) {
        (self.state.r[r], self.state.zero) = (value, value == 0);
    }
}

impl Core for Toy {
    fn reset<B: Bus>(&mut self, bus: &mut B, entry: u32) {
        *self = Toy { host_calls: self.host_calls, ..Toy::new(self.stack_top) };
        self.jump(bus, (entry / 2) as u16);
    }

    fn step<B: Bus>(&mut self, bus: &mut B) -> Option<Stop> {
        if bus.now() >= bus.next_check() {
            let pending = bus.pending();
            if pending.stop {
                return Some(Stop::Board);
            }
            let taken = pending.inputs & !self.masked();
            if taken != 0 {
                self.interrupt(bus, taken.trailing_zeros());
                return None;
            }
        }
        let status = Status { masked: self.masked(), mode: self.state.handler.into() };
        if bus.boundary(self.address(), status, self.state.stack.into()) {
            return Some(Stop::Boundary);
        }
        match self.state.opcode {
            Some(opcode) => self.execute(bus, opcode),
            None => {
                let exception = self.exception(ExceptionKind::Fault, REFUSED);
                bus.entering(&exception, 1);
                self.enter(bus, &exception);
                None
            }
        }
    }

    fn address(&self) -> u32 {
        2 * u32::from(self.state.pc)
    }

    fn retired(&self) -> u64 {
        self.retired
    }

    fn count(&mut self, instructions: u64) {
        self.retired += instructions;
    }

    fn equals(&self, other: &Self) -> bool {
        self.state == other.state
    }

    fn registers(&self) -> Vec<(&'static str, u32)> {
        let names = ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"];
        let all = names.into_iter().zip(self.state.r.map(u32::from));
        all.chain([("pc", self.state.pc.into()), ("stack", self.state.stack.into())]).collect()
    }

    fn takes_interrupts(&self) -> bool {
        self.state.enabled
    }

    fn is_stuck(&self, system: &System) -> bool {
        system.peek(self.address(), Width::Half) == Some(0x6FFF)
    }

    fn set_host_calls(&mut self, on: bool) -> bool {
        self.host_calls = on;
        true
    }

    fn host_call(&self) -> HostCall {
        HostCall { operation: self.state.r[0].into(), parameter: self.pointer() }
    }

    fn answer(&mut self, value: u32) {
        self.state.r[0] = value as u8;
    }
}
