//! A board of the core and memories alone.

use cyclescope_engine::board::Board;
use cyclescope_engine::cores::armv7m::{Armv7m, State};

pub const FLASH: u32 = 0;
pub const RAM: u32 = 0x2000_0000;
pub const RAM_BYTES: u32 = 0x1_0000;

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
    let mut board = Board::from_text(BOARD, "armv7m.toml").unwrap();
    board.load_bytes(FLASH, flash).unwrap();
    board.reset(None);
    board
}

/// A board that starts with this code at 0x200. Vector n leads to 0x100 + 8n of the flash, where `handlers` may lie.
pub fn with_code(code: &[u16]) -> Board {
    let mut flash = vec![0; 0x200];
    flash[..4].copy_from_slice(&(RAM + RAM_BYTES).to_le_bytes());
    flash[4..8].copy_from_slice(&0x201_u32.to_le_bytes());
    flash.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    board(&flash)
}

pub fn state(board: &Board) -> State {
    board.core_as::<Armv7m>().unwrap().state()
}
