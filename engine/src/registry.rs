//! The cores, devices and timings of memories that a board file can name. A program may add its own.
//!
//! A crate with a device of its own adds it by name, and makes boards of that registry:
//!
//! ```
//! use cyclescope_engine::board::{Board, Request};
//! use cyclescope_engine::bus::Width;
//! use cyclescope_engine::device::{Device, Port};
//! use cyclescope_engine::error::Error;
//! use cyclescope_engine::registry::{parameters, Registry};
//! use serde::Deserialize;
//!
//! /// Its output rises every `period_cycles`, and falls when the register is written.
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Pulse {
//!     period_cycles: u64,
//! }
//!
//! impl Device for Pulse {
//!     fn outputs(&self) -> &'static [&'static str] {
//!         &["interrupt"]
//!     }
//!     fn reset(&mut self, port: &mut Port) {
//!         port.drive(0, 0);
//!         port.schedule(0, self.period_cycles);
//!     }
//!     fn read(&mut self, _offset: u32, _width: Width, port: &mut Port) -> u32 {
//!         port.now() as u32
//!     }
//!     fn write(&mut self, _offset: u32, _width: Width, _value: u32, port: &mut Port) {
//!         port.drive(0, 0);
//!     }
//!     fn event(&mut self, tag: u32, port: &mut Port) {
//!         port.drive(0, 1);
//!         port.schedule(tag, port.now() + self.period_cycles);
//!     }
//! }
//!
//! let mut registry = Registry::default();
//! registry.add_device("pulse", |given| Ok(Box::new(parameters::<Pulse>(given)?)));
//! let core = registry.cores()[0].kind();
//! let file = format!(r#"
//!     name = "with a device of its own"
//!     core = {{ kind = "{core}" }}
//!     [[memory]]
//!     name = "ram"
//!     base = 0
//!     size = 0x1000
//!     [[device]]
//!     name = "pulse"
//!     kind = "pulse"
//!     parameters = {{ period_cycles = 250 }}
//! "#);
//! let base = |name: &str| Err(Error::new(format!("there is no {name}")));
//! let mut board = Board::with(&registry, &file, "board.toml", &base)?;
//! board.run(&Request { cycles: Some(240), ..Request::default() })?;
//! assert_eq!(board.level("pulse.interrupt")?, 0);
//! board.run(&Request { cycles: Some(260), ..Request::default() })?;
//! assert_eq!(board.level("pulse.interrupt")?, 1);
//! # Ok::<(), Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::core::Architecture;
use crate::device::Device;
use crate::timing::{self, MakeTiming, Timing};
use crate::{cores, devices};

/// Makes a device of the parameters in the board file, or says in one sentence why not.
pub type MakeDevice = fn(toml::Table) -> Result<Box<dyn Device>, String>;

/// The same, with values of the program that added it.
type OwnMaker = Arc<dyn Fn(toml::Table) -> Result<Box<dyn Device>, String> + Send + Sync>;

/// Kinds by name.
#[derive(Clone)]
pub struct Registry {
    cores: Vec<&'static dyn Architecture>,
    devices: BTreeMap<&'static str, OwnMaker>,
    timings: BTreeMap<&'static str, MakeTiming>,
}

impl Default for Registry {
    /// The cores, devices and timing models of the engine.
    fn default() -> Self {
        Registry {
            cores: cores::ALL.to_vec(),
            devices: devices::ALL.map(|(kind, make)| (kind, Arc::new(make) as OwnMaker)).into(),
            timings: timing::ALL.into(),
        }
    }
}

impl Registry {
    /// Adds a core, instead of one of the same kind.
    pub fn add_core(&mut self, core: &'static dyn Architecture) {
        self.cores.retain(|known| known.kind() != core.kind());
        self.cores.push(core);
    }

    /// Adds a device, instead of one of the same kind. `make` makes one of the parameters in the board
    /// file, or says in one sentence why not.
    pub fn add_device(
        &mut self,
        kind: &'static str,
        make: impl Fn(toml::Table) -> Result<Box<dyn Device>, String> + Send + Sync + 'static,
    ) {
        self.devices.insert(kind, Arc::new(make));
    }

    /// Adds a timing of memories, instead of one of the same kind.
    pub fn add_timing(&mut self, kind: &'static str, make: MakeTiming) {
        self.timings.insert(kind, make);
    }

    /// All cores.
    pub fn cores(&self) -> &[&'static dyn Architecture] {
        &self.cores
    }

    /// The core of a kind.
    ///
    /// # Errors
    /// One sentence that lists the kinds.
    pub fn core(&self, kind: &str) -> Result<&'static dyn Architecture, String> {
        let found = self.cores.iter().find(|core| core.kind() == kind);
        found.copied().ok_or_else(|| {
            let kinds: Vec<_> = self.cores.iter().map(|core| core.kind()).collect();
            format!("no core of kind `{kind}`; the kinds are {}", kinds.join(", "))
        })
    }

    /// Makes a device of `kind`.
    ///
    /// # Errors
    /// One sentence, when the kind is not known or its parameters do not fit.
    pub fn device(&self, kind: &str, given: toml::Table) -> Result<Box<dyn Device>, String> {
        let Some(make) = self.devices.get(kind) else {
            let kinds: Vec<_> = self.devices.keys().copied().collect();
            return Err(format!("no device of kind `{kind}`; the kinds are {}", kinds.join(", ")));
        };
        make(given).map_err(|why| format!("parameters of `{kind}`: {why}"))
    }

    /// Makes a timing of `kind`.
    ///
    /// # Errors
    /// As [`device`](Registry::device).
    pub fn timing(&self, kind: &str, given: toml::Table) -> Result<Timing, String> {
        let Some(make) = self.timings.get(kind) else {
            let kinds: Vec<_> = self.timings.keys().copied().collect();
            return Err(format!("no timing of kind `{kind}`; the kinds are {}", kinds.join(", ")));
        };
        make(given).map_err(|why| format!("parameters of `{kind}`: {why}"))
    }
}

/// Reads the parameters of a core or device.
///
/// # Errors
/// What is wrong with them: an unknown name, a missing one, a value of the wrong type.
pub fn parameters<P: DeserializeOwned>(given: toml::Table) -> Result<P, String> {
    given.try_into().map_err(|error: toml::de::Error| error.message().trim_end().to_owned())
}
