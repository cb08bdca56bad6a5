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

/// Cycles and accesses counted while the rates stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles by [`CycleKind`].
    pub cycles: [u64; 3],
    /// Accesses and lines read, by memory.
    pub memories: Vec<(u64, u64)>,
    /// Accesses by bus.
    pub buses: Vec<u64>,
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

impl Counts {
    /// Nothing yet, on a board with so many memories and buses.
    pub fn new(memories: usize, buses: usize) -> Self {
        Counts { cycles: [0; 3], memories: vec![(0, 0); memories], buses: vec![0; buses] }
    }

    /// Back to nothing.
    pub fn clear(&mut self) {
        self.cycles = [0; 3];
        self.memories.fill((0, 0));
        self.buses.fill(0);
    }
}

/// `value * factor / divisor`, to the nearest.
fn scaled(value: u64, factor: u64, divisor: u64) -> u64 {
    let divisor = u128::from(divisor.max(1));
    let product = u128::from(value) * u128::from(factor) + divisor / 2;
    u64::try_from(product / divisor).unwrap_or(u64::MAX)
}

impl Model {
    /// Returns the names of the parts of every total: the core's own, `memory.<name>`, `bus.<name>` and
    /// `device.<name>`.
    pub fn parts(&self) -> Vec<String> {
        let own = OWN_PARTS.iter().map(ToString::to_string);
        let memories = self.memories.iter().map(|memory| format!("memory.{}", memory.name));
        let buses = self.buses.iter().map(|(name, _)| format!("bus.{name}"));
        let devices = self.clocked.iter().map(|device| format!("device.{}", device.name));
        own.chain(memories).chain(buses).chain(devices).collect()
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
        Rates {
            cycle_fj: self.cycle_fj.map(at),
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
        let memories = counts.memories.iter().zip(&self.memories);
        let memories = memories.map(|(count, rate)| fj(count.0, rate.0) + fj(count.1, rate.1));
        let buses = counts.buses.iter().zip(&self.buses).map(|(&count, &rate)| fj(count, rate));
        let clocked = self.clocked_fj.iter().map(|&rate| fj(cycles, rate));
        let parts = own.chain([fj(cycles, self.quiescent_fj)]).chain(memories);
        Spent {
            cycles,
            capacitive_fj: fj(cycles, self.capacitive_fj),
            parts_fj: parts.chain(buses).chain(clocked).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(direct: bool) -> Model {
        let point =
            |name: &str, core_hz, supply_mv| Point { name: name.into(), core_hz, supply_mv };
        Model {
            direct,
            nominal_mv: 3_300,
            quiescent_ua: 10_000,
            capacitance_ff: 100_000,
            cycle_fj: [3_300_000, 1_650_000, 330_000],
            memories: vec![MemoryEnergy { name: "ram".into(), access_fj: 33, line_fj: 330 }],
            buses: vec![("vpb".into(), 66)],
            clocked: vec![ClockedDevice { name: "timer".into(), fj: 400, bus: Some(0) }],
            points: vec![point("slow", 10_000_000, 3_000), point("fast", 60_000_000, 3_300)],
        }
    }

    fn levels(core_hz: u32, divider: u32, on: bool) -> Levels {
        Levels { core_hz, dividers: vec![divider], clocked: vec![on] }
    }

    #[test]
    fn every_part_is_its_count_times_its_rate() {
        let rates = model(false).rates(&levels(60_000_000, 4, true));
        let counts = Counts { cycles: [10, 5, 1], memories: vec![(7, 2)], buses: vec![3] };
        let spent = rates.spent(&counts);
        // 10 mA at 3.3 V for a sixtieth of a microsecond are 550 pJ.
        let quiescent = 16 * 550_000;
        let parts = [33_000_000, 8_250_000, 330_000, quiescent, 7 * 33 + 2 * 330, 198, 1_600];
        assert_eq!(spent.parts_fj, parts);
        assert_eq!(spent.total_fj(), parts.iter().sum());
        // 100 pF at 3.3 V: 1.089 nJ a cycle.
        assert_eq!((spent.cycles, spent.capacitive_fj), (16, 16 * 1_089_000));
        let names = ["active", "stall", "idle", "quiescent", "memory.ram", "bus.vpb"];
        assert_eq!(model(false).parts(), [&names[..], &["device.timer"]].concat());
    }

    #[test]
    fn a_regulator_makes_energy_go_with_the_voltage_and_none_with_its_square() {
        let counts = Counts { cycles: [1, 0, 0], ..Counts::new(1, 1) };
        let slow = |direct| model(direct).rates(&levels(10_000_000, 1, false)).spent(&counts);
        assert_eq!(slow(false).parts_fj[0], 3_000_000);
        assert_eq!(slow(true).parts_fj[0], 2_727_273, "3.3 nJ * (3.0 / 3.3)²");
        // 10 mA at 3.0 V for a tenth of a microsecond: the current is the same in both.
        assert_eq!([slow(false), slow(true)].map(|spent| spent.parts_fj[3]), [3_000_000; 2]);
    }

    #[test]
    fn the_voltage_is_that_of_the_slowest_point_that_is_not_slower() {
        let model = model(false);
        let at = |hz| model.point(hz).map(|point| point.name.as_str());
        let found = [1, 10_000_000, 10_000_001, 60_000_000, 70_000_000].map(at);
        assert_eq!(found, ["slow", "slow", "fast", "fast", "fast"].map(Some));
    }

    #[test]
    fn a_device_that_is_not_clocked_takes_nothing() {
        let counts = Counts { cycles: [8, 0, 0], ..Counts::new(1, 1) };
        let of = |divider, on| {
            model(false).rates(&levels(60_000_000, divider, on)).spent(&counts).parts_fj[6]
        };
        assert_eq!([of(1, true), of(4, true), of(1, false)], [3_200, 800, 0]);
    }
}
