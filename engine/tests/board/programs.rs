//! Shared by the board tests: a minimal board, and programs as words.

use std::path::Path;

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::cores::arm7tdmi::Arm7tdmi;

/// A core and 64 KiB of memory without wait states.
pub const MINIMAL: &str = r#"
name = "minimal"
[core]
kind = "arm7tdmi"
[[memory]]
name = "ram"
base = 0
size = 0x10000
"#;

/// A board whose core is an ARM7TDMI.
pub trait ArmBoard {
    fn arm(&self) -> &Arm7tdmi;
    fn arm_mut(&mut self) -> &mut Arm7tdmi;
}

impl ArmBoard for Board {
    fn arm(&self) -> &Arm7tdmi {
        self.core_as().unwrap()
    }

    fn arm_mut(&mut self) -> &mut Arm7tdmi {
        self.core_as_mut().unwrap()
    }
}

/// A board from its text.
pub fn board(text: &str) -> Board {
    Board::from_text(text, "test.toml").unwrap()
}

/// A board with a program at `address`.
pub fn loaded(text: &str, address: u32, program: &[u32]) -> Board {
    let mut board = board(text);
    board.load_bytes(address, &words(program)).unwrap();
    board
}

/// Words as bytes.
pub fn words(program: &[u32]) -> Vec<u8> {
    program.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A run bounded by cycles.
pub fn run_cycles(cycles: u64) -> Request {
    Request { cycles: Some(cycles), ..Request::default() }
}

/// The LPC2148 of the board file.
pub fn lpc2148() -> Board {
    real("lpc2148")
}

/// Memories of the same places, with wait states in place of the MAM, and no devices.
pub fn waiting() -> Board {
    board(
        "name = \"waiting\"\n[core]\nkind = \"arm7tdmi\"\n\
         [[memory]]\nname = \"flash\"\nbase = 0\nsize = 0x10000\nkind = \"rom\"\n\
         [[memory]]\nname = \"ram\"\nbase = 0x4000_0000\nsize = 0x8000\n",
    )
}

/// The AT91x40 of the board file.
pub fn at91x40() -> Board {
    real("at91x40")
}

/// The console of the board file, with its cartridge at address 0 too.
pub fn console() -> Board {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/console/board.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let low = "name = \"low\"\nbase = 0\nsize = 0x8000\nselect = [{ level = 0, memory = \"rom\" }]";
    board(&format!("{text}\n[[remap]]\n{low}\n"))
}

fn real(name: &str) -> Board {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards");
    Board::open(&boards.join(name).join("board.toml")).unwrap()
}
