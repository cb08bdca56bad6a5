//! The energy model of a board file: the cost of cycles and events (docs/explanation/energy.md).
//!
//! All energies are whole femtojoules. A rate is rounded once, when clock, voltage or gates change.
//! From then on everything is sums and products of integers. So parts add up to their total
//! exactly, in whatever order they were added.

/// Cycles by what the core does in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleKind {
    /// It works: the data cycle of an access, or an internal cycle.
    Active = 0,
    /// It waits for an access.
    Stall = 1,
    /// Its clock is stopped.
    Idle = 2,
}

/// Names of the parts of every total that all boards have; memories, buses and devices follow.
const OWN_PARTS: [&str; 4] = ["active", "stall", "idle", "quiescent"];
/// The last part: what transfers of devices take of memories and buses.
const TRANSFERS: &str = "transfers";
const QUIESCENT: usize = 3;

/// A device that takes energy with each cycle of its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockedDevice {
    /// Its name.
    pub name: String,
    /// Its energy for each cycle of its clock, at the nominal voltage.
    pub fj: u64,
    /// The bus whose clock it has; without one, it has the core's.
    pub bus: Option<usize>,
}

/// Energy that a memory takes at the nominal voltage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryEnergy {
    /// Its name.
    pub name: String,
    /// For each access.
    pub access_fj: u64,
    /// For each line read from its array.
    pub line_fj: u64,
}

/// A clock with the voltage that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// The core's clock.
    pub core_hz: u32,
    /// The supply.
    pub supply_mv: u32,
}

/// The model of one board, at its nominal voltage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Energy goes with V² and not with V.
    pub direct: bool,
    /// The voltage that energies hold at.
    pub nominal_mv: u32,
    /// The current that flows whatever happens.
    pub quiescent_ua: u64,
    /// Effective capacitance of the simple law.
    pub capacitance_ff: u64,
    /// For each cycle, by [`CycleKind`].
    pub cycle_fj: [u64; 3],
    /// For each idle cycle in place of that, by the levels that make it so.
    pub asleep_fj: Vec<u64>,
    /// The memories, in the order of the board file.
    pub memories: Vec<MemoryEnergy>,
    /// The buses: name, and energy of an access.
    pub buses: Vec<(String, u64)>,
    /// Devices that are clocked.
    pub clocked: Vec<ClockedDevice>,
    /// Operating points by rising clock.
    pub points: Vec<Point>,
}

/// Clocks and gates. With the model, they determine the rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The core's clock.
    pub core_hz: u32,
    /// Core cycles per cycle of each bus's clock.
    pub dividers: Vec<u32>,
    /// Whether each clocked device is.
    pub clocked: Vec<bool>,
    /// Whether each of [`Model::asleep_fj`] holds.
    pub asleep: Vec<bool>,
}

/// Energies at one clock, voltage and set of gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    cycle_fj: [u64; 3],
    /// For each cycle whatever its kind: by the quiescent current, and by each clocked device.
    quiescent_fj: u64,
    clocked_fj: Vec<u64>,
    memories: Vec<(u64, u64)>,
    buses: Vec<u64>,
    capacitive_fj: u64,
}

/// Accesses to memories and over buses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Accesses and lines read, by memory.
    pub memories: Vec<(u64, u64)>,
    /// Accesses by bus.
    pub buses: Vec<u64>,
}

/// Cycles and accesses counted while the rates stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles by [`CycleKind`].
    pub cycles: [u64; 3],
    /// The core's accesses.
    pub accesses: Accesses,
    /// Those that devices make by themselves (DMA).
    pub transfers: Accesses,
}

/// An energy and what it consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Core cycles, asleep ones too.
    pub cycles: u64,
    /// Energy of these cycles by the simple law: C·V² per cycle.
    pub capacitive_fj: u128,
    /// By part, in the order of [`Model::parts`].
    pub parts_fj: Vec<u128>,
}

impl Spent {
    /// All of it.
    pub fn total_fj(&self) -> u128 {
        self.parts_fj.iter().sum()
    }

    /// Adds another `times` over.
    pub fn add(&mut self, other: &Spent, times: u64) {
        self.cycles += other.cycles * times;
        let times = u128::from(times);
        self.capacitive_fj += other.capacitive_fj * times;
        self.parts_fj.resize(self.parts_fj.len().max(other.parts_fj.len()), 0);
        for (sum, part) in self.parts_fj.iter_mut().zip(&other.parts_fj) {
            *sum += part * times;
        }
    }
}

impl Accesses {
    fn is_empty(&self) -> bool {
        self.memories.iter().all(|count| *count == (0, 0)) && self.buses.iter().all(|n| *n == 0)
    }

    fn clear(&mut self) {
        self.memories.fill((0, 0));
        self.buses.fill(0);
    }
}

impl Counts {
    /// Nothing yet, on a board with so many memories and buses.
    pub fn new(memories: usize, buses: usize) -> Self {
        let accesses = Accesses { memories: vec![(0, 0); memories], buses: vec![0; buses] };
        Counts { cycles: [0; 3], accesses: accesses.clone(), transfers: accesses }
    }

    /// Whether nothing was counted: no cycle and no transfer.
    pub fn is_empty(&self) -> bool {
        self.cycles == [0; 3] && self.transfers.is_empty()
    }

    /// Back to nothing.
    pub fn clear(&mut self) {
        self.cycles = [0; 3];
        self.accesses.clear();
        self.transfers.clear();
    }
}

/// `value * factor / divisor`, to the nearest.
fn scaled(value: u64, factor: u64, divisor: u64) -> u64 {
    let divisor = u128::from(divisor.max(1));
    let product = u128::from(value) * u128::from(factor) + divisor / 2;
    u64::try_from(product / divisor).unwrap_or(u64::MAX)
}

impl Model {
    /// Returns the names of the parts of every total: the core's own, `memory.<name>`, `bus.<name>`,
    /// `device.<name>`, and `transfers`: memories and buses as devices take them by themselves.
    pub fn parts(&self) -> Vec<String> {
        let own = OWN_PARTS.iter().map(ToString::to_string);
        let memories = self.memories.iter().map(|memory| format!("memory.{}", memory.name));
        let buses = self.buses.iter().map(|(name, _)| format!("bus.{name}"));
        let devices = self.clocked.iter().map(|device| format!("device.{}", device.name));
        own.chain(memories).chain(buses).chain(devices).chain([TRANSFERS.to_owned()]).collect()
    }

    /// The operating point at a core clock: the slowest that is not slower, else the fastest. `None`
    /// on a board without points, which stays at its nominal voltage.
    pub fn point(&self, core_hz: u32) -> Option<&Point> {
        self.points.iter().find(|point| point.core_hz >= core_hz).or(self.points.last())
    }

    /// The rates at these levels.
    pub fn rates(&self, levels: &Levels) -> Rates {
        let nominal = u64::from(self.nominal_mv);
        let mv = self.point(levels.core_hz).map_or(nominal, |point| point.supply_mv.into());
        let at = |fj: u64| match self.direct {
            false => scaled(fj, mv, nominal),
            true => scaled(fj, mv * mv, nominal * nominal),
        };
        let clocked = |(device, on): (&ClockedDevice, &bool)| {
            let divider = device.bus.map_or(1, |bus| levels.dividers[bus]);
            scaled(at(device.fj), u64::from(*on), divider.into())
        };
        let [active, stall, idle] = self.cycle_fj;
        let deeper = self.asleep_fj.iter().zip(&levels.asleep).find(|one| *one.1);
        let idle = deeper.map_or(idle, |(fj, _)| *fj);
        Rates {
            cycle_fj: [active, stall, idle].map(at),
            // 1 µA at 1 mV is 1 nW: a million femtojoules a second.
            quiescent_fj: scaled(self.quiescent_ua * mv, 1_000_000, levels.core_hz.into()),
            clocked_fj: self.clocked.iter().zip(&levels.clocked).map(clocked).collect(),
            memories: self.memories.iter().map(|m| (at(m.access_fj), at(m.line_fj))).collect(),
            buses: self.buses.iter().map(|(_, fj)| at(*fj)).collect(),
            capacitive_fj: scaled(self.capacitance_ff, mv * mv, 1_000_000),
        }
    }
}

impl Rates {
    /// Returns the energy of these counts.
    pub fn spent(&self, counts: &Counts) -> Spent {
        let fj = |count: u64, rate: u64| u128::from(count) * u128::from(rate);
        let cycles: u64 = counts.cycles.iter().sum();
        let own = (0..QUIESCENT).map(|kind| fj(counts.cycles[kind], self.cycle_fj[kind]));
        let accesses = self.accesses(&counts.accesses);
        let transfers = self.accesses(&counts.transfers).sum();
        let clocked = self.clocked_fj.iter().map(|&rate| fj(cycles, rate));
        let parts = own.chain([fj(cycles, self.quiescent_fj)]).chain(accesses);
        Spent {
            cycles,
            capacitive_fj: fj(cycles, self.capacitive_fj),
            parts_fj: parts.chain(clocked).chain([transfers]).collect(),
        }
    }

    /// The energies of accesses: by memory, then by bus.
    fn accesses<'a>(&'a self, counts: &'a Accesses) -> impl Iterator<Item = u128> + 'a {
        let fj = |count: u64, rate: u64| u128::from(count) * u128::from(rate);
        let memories = counts.memories.iter().zip(&self.memories);
        let buses = counts.buses.iter().zip(&self.buses);
        memories
            .map(move |(count, rate)| fj(count.0, rate.0) + fj(count.1, rate.1))
            .chain(buses.map(move |(&count, &rate)| fj(count, rate)))
    }
}

#[cfg(test)]
mod tests;
