//! Cases: registers, code, and a pattern of memory; executed here and in unicorn's Cortex-M3.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::cores::armv7m::{Armv7m, State};

use crate::board::{board, RAM, RAM_BYTES};

/// Where the code of a case begins, and the bytes of the flash.
pub const CODE: u32 = 0x4000;
pub const FLASH_BYTES: u32 = 0x8000;
/// The process stack pointer of every case.
pub const PROCESS_STACK: u32 = RAM + 0x4000;
const T: u32 = 1 << 24;

/// A generator of numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// Carries, overflows and saturation hang on extreme values.
    pub fn word(&mut self) -> u32 {
        match self.below(8) {
            0 => self.pick(&[0, 1, 2, u32::MAX, 1 << 31, i32::MAX as u32, 0xFFFF, 0x1_0000]),
            1 => self.below(256),
            2 => self.below(256).wrapping_neg(),
            3 => 1 << self.below(32),
            _ => self.next(),
        }
    }
}

/// One case: r0 to r12, the stack pointer, LR, the flags; its code; the seed of its memory.
#[derive(Clone, Debug)]
pub struct Case {
    pub r: [u32; 13],
    pub sp: u32,
    pub lr: u32,
    pub flags: u32,
    pub code: Vec<u16>,
    pub seed: u8,
}

/// The registers after a case, a checksum of its memory, and the error of a simulator that could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub state: State,
    pub memory: u32,
    pub error: u32,
}

fn pattern(at: u32) -> u8 {
    (37 * at) as u8
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1u32, 0u32);
    for chunk in bytes.chunks(4096) {
        for &byte in chunk {
            low += u32::from(byte);
            high += low;
        }
        (low, high) = (low % 65521, high % 65521);
    }
    high << 16 | low
}

impl Case {
    fn code_bytes(&self) -> Vec<u8> {
        self.code.iter().flat_map(|half| half.to_le_bytes()).collect()
    }

    fn message(&self) -> Vec<u8> {
        let code = self.code_bytes();
        let words = self.r.iter().chain([&self.sp, &self.lr, &self.flags]).copied();
        let words = words.chain([code.len() as u32, self.seed.into()]);
        words.flat_map(u32::to_le_bytes).chain(code.iter().copied()).collect()
    }

    /// Executes it here, to the end of its code and at most 4,000 instructions.
    pub fn run(&self, board: &mut Board) -> Record {
        let code = self.code_bytes();
        let end = CODE + code.len() as u32;
        let ram: Vec<u8> = (0..RAM_BYTES).map(|at| pattern(at + u32::from(self.seed))).collect();
        let before: Vec<u8> = (0..CODE).map(pattern).collect();
        let behind: Vec<u8> = (0..FLASH_BYTES - end).map(pattern).collect();
        for (place, bytes) in [(RAM, &ram), (0, &before), (CODE, &code), (end, &behind)] {
            board.write_memory(place, bytes).unwrap();
        }
        let state = State {
            r: self.r,
            msp: self.sp,
            psp: PROCESS_STACK,
            lr: self.lr,
            pc: CODE,
            xpsr: self.flags | T,
            ..State::default()
        };
        board.core_as_mut::<Armv7m>().unwrap().set_state(&state);
        let most = board.instructions() + 4000;
        let request = Request {
            instructions: Some(most),
            pcs: vec![end],
            stop_on_exception: true,
            ..Request::default()
        };
        let stop = board.run(&request).unwrap();
        let error = u32::from(stop.pc != end);
        let ram = board.read_memory(RAM, RAM_BYTES as usize).unwrap();
        Record { state: board.core_as::<Armv7m>().unwrap().state(), memory: adler32(&ram), error }
    }
}

/// A board for cases.
pub fn board_for_cases() -> Board {
    board(&[0; FLASH_BYTES as usize])
}

/// The Python that has unicorn; `None`, and a sentence, where it is not installed.
pub fn driver() -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/bin/python");
    let mut probe = Command::new(&python);
    probe.args(["-c", "import unicorn"]).stderr(Stdio::null());
    match probe.status() {
        Ok(status) if status.success() => Some(python),
        _ => {
            println!("SKIPPED: no unicorn in .venv; `make setup-test` installs it.");
            None
        }
    }
}

/// Whether each opcode, its first half-word in the low bits, is one for unicorn.
pub fn defined_in_unicorn(python: &Path, opcodes: &[u32]) -> Vec<bool> {
    let message = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    ask(python, &["opcodes"], message).into_iter().map(|byte| byte != 0).collect()
}

/// Executes the cases in unicorn.
pub fn in_unicorn(python: &Path, cases: &[Case]) -> Vec<Record> {
    let messages = cases.iter().flat_map(Case::message).collect();
    let records: Vec<Record> =
        ask(python, &[], messages).chunks_exact(25 * 4).map(record).collect();
    assert_eq!(records.len(), cases.len());
    records
}

/// The driver's answer to a message.
fn ask(python: &Path, arguments: &[&str], message: Vec<u8>) -> Vec<u8> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/armv7m/unicorn_driver.py");
    let mut child = Command::new(python)
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(&message).expect("it reads on"));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("all was written");
    assert!(output.status.success());
    output.stdout
}

fn record(bytes: &[u8]) -> Record {
    let word = |n: usize| u32::from_le_bytes(bytes[4 * n..4 * n + 4].try_into().expect("4 bytes"));
    let control = word(19);
    let (msp, psp) = (word(17), word(18));
    // The stack pointer in use is r13.
    let (msp, psp) = if control & 2 != 0 { (msp, word(13)) } else { (word(13), psp) };
    let state = State {
        r: std::array::from_fn(word),
        msp,
        psp,
        lr: word(14),
        pc: word(15) & !1,
        xpsr: word(16),
        control,
        primask: word(20) & 1 != 0,
        basepri: word(21) as u8,
        faultmask: word(22) & 1 != 0,
    };
    Record { state, memory: word(23), error: word(24) }
}
