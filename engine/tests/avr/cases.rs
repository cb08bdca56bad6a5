//! Cases: a state of the core, words of program memory, and a number of instructions to execute.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

use cyclescope_engine::board::Board;
use cyclescope_engine::cores::avr::{Avr, State, DATA};

pub const PROGRAM_WORDS: u32 = 0x2_0000;
pub const RAM_FIRST: u16 = 0x200;
pub const RAM_END: u16 = 0x2200;
/// I/O addresses of memory-like registers: GPIOR0, GPIOR1, GPIOR2, RAMPZ, EIND, SPL, SPH, SREG.
pub const PLAIN_IO: [u16; 8] = [0x1E, 0x2A, 0x2B, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F];

/// A board of the core and memories alone. I/O registers are memory.
const BOARD: &str = r#"
name = "avr"
[core]
kind = "avr"
interrupt_synchroniser_cycles = 0
parameters = { program_words = 0x2_0000, stack_top = 0x21FF }
[[memory]]
name = "flash"
base = 0
size = 0x4_0000
kind = "rom"
cycles = 0
[[memory]]
name = "io"
base = 0x80_0020
size = 0x1E0
cycles = 0
[[memory]]
name = "sram"
base = 0x80_0200
size = 0x2000
cycles = 0
"#;

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

    pub fn byte(&mut self) -> u8 {
        // Carries and overflows hang on extreme values.
        let byte = self.next() as u8;
        [byte, byte, byte, 0, 1, 0x7F, 0x80, 0xFF][self.below(8) as usize]
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// One case.
pub struct Case {
    pub state: State,
    pub patches: Vec<(u32, u16)>,
    pub seed: u16,
    /// The content of GPIOR0 to GPIOR2.
    pub fill: u8,
    pub steps: u32,
}

/// The state after an instruction, with a hash of the RAM after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub state: State,
    pub cycle: u64,
    pub ram_hash: u32,
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let &State { r, sreg, sp, rampz, eind, pc, .. } = &self.state;
        let mut bytes = Vec::new();
        for number in [self.steps, pc, self.patches.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(sp.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(r);
        bytes.extend([sreg, rampz, eind, self.fill]);
        for &(word, value) in &self.patches {
            bytes.extend(word.to_le_bytes());
            bytes.extend(u32::from(value).to_le_bytes());
        }
        bytes
    }

    /// Puts it into a board: the core's state, the patches, which stay, and all of the RAM.
    pub fn prepare(&self, board: &mut Board) {
        for &(word, value) in &self.patches {
            board.write_memory(2 * word, &value.to_le_bytes()).unwrap();
        }
        let ram: Vec<u8> = (RAM_FIRST..RAM_END)
            .map(|at| (u32::from(at) * 37 + u32::from(self.seed)) as u8)
            .collect();
        board.write_memory(DATA + u32::from(RAM_FIRST), &ram).unwrap();
        for io in &PLAIN_IO[..3] {
            board.write_memory(DATA + 0x20 + u32::from(*io), &[self.fill]).unwrap();
        }
        board.core_as_mut::<Avr>().unwrap().set_state(&self.state);
    }
}

/// A board for cases, with this content of its flash.
pub fn board(flash: &[u8]) -> Board {
    let mut board = Board::from_text(BOARD, "avr.toml").unwrap();
    board.load_bytes(0, flash).unwrap();
    board.reset(None);
    board
}

/// The state of a board where a case began at the cycle `begun`; the hash of its RAM if this is its last instruction.
pub fn record(board: &mut Board, begun: u64, last: bool) -> Record {
    let ram_hash = if last {
        let ram = board.read_memory(DATA + u32::from(RAM_FIRST), 0x2000).unwrap();
        ram.iter().fold(2_166_136_261, |hash: u32, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
        })
    } else {
        0
    };
    let mut state = board.core_as::<Avr>().unwrap().state();
    state.shadow = false;
    Record { state, cycle: board.cycle() - begun, ram_hash }
}

/// Returns the driver of simavr; `None`, and a sentence, where simavr is not installed.
pub fn driver() -> Option<PathBuf> {
    // Tests run at the same time: none may compile it again while another executes it.
    static DRIVER: OnceLock<Option<PathBuf>> = OnceLock::new();
    DRIVER.get_or_init(compile_driver).clone()
}

fn compile_driver() -> Option<PathBuf> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("simavr-{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/avr/simavr.c");
    let mut compiler = Command::new("cc");
    compiler.arg("-O2").arg("-o").arg(&out).arg(source).args(["-lsimavr", "-lelf"]);
    match compiler.stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Some(out),
        _ => {
            println!("SKIPPED: no simavr to link with; scripts/setup.sh installs it.");
            None
        }
    }
}

/// Executes the cases in simavr. Returns the records of each.
pub fn in_simavr(driver: &Path, flash: &[u8], cases: &[Case]) -> Vec<Vec<Record>> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let content = driver.with_extension(format!("{run}.flash"));
    std::fs::write(&content, flash).unwrap();
    let mut child = Command::new(driver)
        .arg(&content)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input: Vec<u8> = cases.iter().flat_map(Case::bytes).collect();
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    std::fs::remove_file(&content).unwrap();
    assert!(output.status.success());
    let mut records = output.stdout.chunks_exact(56).map(parse);
    let found = cases.iter().map(|case| records.by_ref().take(case.steps as usize).collect());
    let found: Vec<Vec<Record>> = found.collect();
    assert!(records.next().is_none() && found.last().is_some_and(|last| !last.is_empty()));
    found
}

fn parse(bytes: &[u8]) -> Record {
    let long = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let state = State {
        r: bytes[18..50].try_into().unwrap(),
        sreg: bytes[50],
        sp: u16::from_le_bytes([bytes[16], bytes[17]]),
        rampz: bytes[51],
        eind: bytes[52],
        // simavr keeps bits of a target that the part does not have.
        pc: long(8) & (PROGRAM_WORDS - 1),
        shadow: false,
    };
    Record { state, cycle: u64::from_le_bytes(bytes[..8].try_into().unwrap()), ram_hash: long(12) }
}
