//! The cores, devices and timings of memories that a board file can name. A program may add its own.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::core::Architecture;
use crate::device::Device;
use crate::timing::{self, MakeTiming, Timing};
use crate::{cores, devices};

/// Makes a device of the parameters in the board file, or says in one sentence why not.
pub type MakeDevice = fn(toml::Table) -> Result<Box<dyn Device>, String>;

/// Kinds by name.
#[derive(Clone)]
pub struct Registry {
    cores: Vec<&'static dyn Architecture>,
    devices: BTreeMap<&'static str, MakeDevice>,
    timings: BTreeMap<&'static str, MakeTiming>,
}

impl Default for Registry {
    /// The cores, devices and timing models of the engine.
    fn default() -> Self {
        Registry {
            cores: cores::ALL.to_vec(),
            devices: devices::ALL.into(),
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

    /// Adds a device, instead of one of the same kind.
    pub fn add_device(&mut self, kind: &'static str, make: MakeDevice) {
        self.devices.insert(kind, make);
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
