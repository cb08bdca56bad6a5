//! The engine's seams: a core and devices that it does not know, on a board file of their own, through the public
//! API alone. The core is not like an ARM, and everything a board offers must work on it.

mod architecture;
mod assembler;
mod core;
mod devices;
mod inside;
mod overlap;
mod runs;
mod signals;

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::error::{Error, Result};
use cyclescope_engine::image::Image;
use cyclescope_engine::registry::{parameters, Registry};

use architecture::ToyArchitecture;

use self::core::Toy;

/// Its board file.
pub const BOARD: &str = include_str!("board.toml");
static TOY: ToyArchitecture = ToyArchitecture;

/// The engine's registry, with the core and devices of these tests added.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add_core(&TOY);
    registry.add_device("ticker", |given| {
        let _: toml::Table = parameters(given)?;
        Ok(Box::<devices::Ticker>::default())
    });
    registry.add_device("waiter", |_| Ok(Box::<devices::Waiter>::default()));
    registry.add_device("failing", |_| Ok(Box::new(devices::Failing)));
    registry.add_device("copier", |given| Ok(Box::new(parameters::<devices::Copier>(given)?)));
    registry
}

/// A board of this text.
pub fn made(text: &str) -> Result<Board> {
    Board::with(&registry(), text, "board.toml", &|base| Err(Error::new(base)))
}

/// A board of these tests with an image in it, after reset.
pub fn loaded(image: &Image) -> Board {
    let mut board = made(BOARD).unwrap();
    board.load(image).unwrap();
    board.reset(None);
    board
}

/// The core.
pub fn toy(board: &Board) -> &Toy {
    board.core_as().unwrap()
}

/// A run bounded by cycles.
pub fn cycles(cycles: u64) -> Request {
    Request { cycles: Some(cycles), ..Request::default() }
}
