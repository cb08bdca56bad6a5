//! A board of the core and memories alone.

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::cores::armv7m::{Armv7m, State};

pub const FLASH: u32 = 0;
pub const RAM: u32 = 0x2000_0000;
pub const RAM_BYTES: u32 = 0x1_0000;
/// Where code begins.
pub const CODE: u32 = 0x200;

const BOARD: &str = r#"
name = "armv7m"
[core]
kind = "armv7m"
interrupt_synchroniser_cycles = 0
parameters = { interrupts = 60, priority_bits = 8, revision = "r2p0" }
[[memory]]
name = "flash"
base = 0
size = 0x2_0000
kind = "rom"
cycles = 0
[[memory]]
name = "ram"
base = 0x2000_0000
size = 0x1_0000
cycles = 0
"#;

/// A board after its reset, with these bytes from the beginning of its flash.
pub fn board(flash: &[u8]) -> Board {
    made(BOARD, flash)
}

fn made(file: &str, flash: &[u8]) -> Board {
    let mut board = Board::from_text(file, "armv7m.toml").unwrap();
    board.load_bytes(FLASH, flash).unwrap();
    board.reset(None);
    board
}

/// A board that starts with this code at [`CODE`], and has no other vector.
pub fn with_code(code: &[u16]) -> Board {
    with_more("", code)
}

/// The same with more in its file: wires, buses and devices.
pub fn with_more(more: &str, code: &[u16]) -> Board {
    of_file(&BOARD.replacen("[core]", &format!("{more}\n[core]"), 1), code)
}

/// A board of this file, which has a flash and a RAM as ours.
pub fn of_file(file: &str, code: &[u16]) -> Board {
    let mut flash = vec![0; CODE as usize];
    flash[..4].copy_from_slice(&(RAM + RAM_BYTES).to_le_bytes());
    flash[4..8].copy_from_slice(&(CODE | 1).to_le_bytes());
    flash.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    made(file, &flash)
}

/// A board with another revision of the core.
pub fn of_revision(name: &str) -> Board {
    let file = BOARD.replace("r2p0", name);
    let mut board = Board::from_text(&file, "armv7m.toml").unwrap();
    board.reset(None);
    board
}

pub fn state(board: &Board) -> State {
    board.core_as::<Armv7m>().unwrap().state()
}

pub fn set_state(board: &mut Board, state: &State) {
    board.core_as_mut::<Armv7m>().unwrap().set_state(state);
}

/// Executes this instruction in the RAM, with r0 an address and r1 a value. Returns r1 behind it. Time goes by.
fn access(board: &mut Board, instruction: u16, address: u32, value: u32) -> u32 {
    const PLACE: u32 = RAM + RAM_BYTES - 0x1000;
    let before = state(board);
    board.write_memory(PLACE, &instruction.to_le_bytes()).unwrap();
    let xpsr = before.xpsr | 1 << 24;
    let mut inside = State { pc: PLACE, primask: true, xpsr, ..before.clone() };
    (inside.r[0], inside.r[1]) = (address, value);
    set_state(board, &inside);
    let instructions = Some(board.instructions() + 1);
    board.run(&Request { instructions, ..Request::default() }).unwrap();
    let found = state(board).r[1];
    set_state(board, &before);
    found
}

/// Writes a word of the core's own registers.
pub fn poke(board: &mut Board, address: u32, value: u32) {
    access(board, 0x6001, address, value);
}

/// Reads a word of the core's own registers.
pub fn peek(board: &mut Board, address: u32) -> u32 {
    access(board, 0x6801, address, 0)
}
