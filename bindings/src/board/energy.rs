//! Accounts of a power meter.

use cyclescope_engine::energy::Spent;
use cyclescope_engine::instruments::power_meter::Ledger;

/// Mode, task and place, then cycles, energy by the simple law and by part.
pub type Account = ((u8, u32, u32), (u64, u128, Vec<u128>));

/// The accounts of a ledger.
pub fn accounts(ledger: Ledger) -> Vec<Account> {
    let spent = |spent: Spent| (spent.cycles, spent.capacitive_fj, spent.parts_fj);
    ledger.into_iter().map(|(who, what)| ((who.mode, who.task, who.place), spent(what))).collect()
}
