//! `[core]`

use serde::{Deserialize, Serialize};

use super::two;
use crate::error::{Error, Result};

/// `[core]`
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Core {
    /// The model.
    pub kind: String,
    /// Cycles from a change of an interrupt line to its being seen at a boundary.
    #[serde(default = "two")]
    pub interrupt_synchroniser_cycles: u32,
    /// Where execution starts when no image says.
    #[serde(default)]
    pub reset_address: u32,
    /// The model's parameters.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub parameters: toml::Table,
    /// Every other key: the model's parameters, where older files have them.
    #[serde(flatten)]
    older: toml::Table,
}

impl Core {
    /// Moves the parameters that older files have beside `parameters` there, if the model has `names` of such.
    ///
    /// # Errors
    /// A sentence that names a key of another name.
    pub(in super::super) fn gather_parameters(&mut self, names: &[&str]) -> Result<()> {
        for (name, value) in std::mem::take(&mut self.older) {
            if !names.contains(&name.as_str()) {
                return Err(Error(format!(
                    "[core] has no key `{name}` (docs/reference/boards.md lists every key)."
                )));
            }
            self.parameters.entry(name).or_insert(value);
        }
        Ok(())
    }
}
