//! The energy of counts, by hand.

use super::*;

fn model(direct: bool) -> Model {
    let point = |name: &str, core_hz, supply_mv| Point { name: name.into(), core_hz, supply_mv };
    Model {
        direct,
        nominal_mv: 3_300,
        quiescent_ua: 10_000,
        capacitance_ff: 100_000,
        cycle_fj: [3_300_000, 1_650_000, 330_000],
        asleep_fj: vec![33_000, 0],
        memories: vec![MemoryEnergy { name: "ram".into(), access_fj: 33, line_fj: 330 }],
        buses: vec![("vpb".into(), 66)],
        clocked: vec![ClockedDevice { name: "timer".into(), fj: 400, bus: Some(0) }],
        points: vec![point("slow", 10_000_000, 3_000), point("fast", 60_000_000, 3_300)],
    }
}

fn levels(core_hz: u32, divider: u32, on: bool) -> Levels {
    Levels { core_hz, dividers: vec![divider], clocked: vec![on], asleep: vec![false; 2] }
}

#[test]
fn every_part_is_its_count_times_its_rate() {
    let rates = model(false).rates(&levels(60_000_000, 4, true));
    let accesses = Accesses { memories: vec![(7, 2)], buses: vec![3] };
    let transfers = Accesses { memories: vec![(2, 1)], buses: vec![5] };
    let spent = rates.spent(&Counts { cycles: [10, 5, 1], accesses, transfers });
    // 10 mA at 3.3 V for a sixtieth of a microsecond are 550 pJ.
    let quiescent = 16 * 550_000;
    let parts = [33_000_000, 8_250_000, 330_000, quiescent, 7 * 33 + 2 * 330, 198, 1_600, 726];
    assert_eq!(spent.parts_fj, parts, "transfers: 2 * 33 + 330 + 5 * 66");
    assert_eq!(spent.total_fj(), parts.iter().sum());
    // 100 pF at 3.3 V: 1.089 nJ a cycle.
    assert_eq!((spent.cycles, spent.capacitive_fj), (16, 16 * 1_089_000));
    let names = ["active", "stall", "idle", "quiescent", "memory.ram", "bus.vpb"];
    assert_eq!(model(false).parts(), [&names[..], &["device.timer", "transfers"]].concat());
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
fn a_deeper_sleep_takes_what_its_level_says() {
    let counts = Counts { cycles: [1, 1, 10], ..Counts::new(1, 1) };
    let of = |asleep: [bool; 2]| {
        let levels = Levels { asleep: asleep.into(), ..levels(60_000_000, 1, false) };
        model(false).rates(&levels).spent(&counts).parts_fj[..3].to_vec()
    };
    assert_eq!(of([false; 2]), [3_300_000, 1_650_000, 3_300_000]);
    assert_eq!(of([true, false]), [3_300_000, 1_650_000, 330_000]);
    assert_eq!(of([false, true]), [3_300_000, 1_650_000, 0]);
}

#[test]
fn a_device_that_is_not_clocked_takes_nothing() {
    let counts = Counts { cycles: [8, 0, 0], ..Counts::new(1, 1) };
    let of = |divider, on| {
        model(false).rates(&levels(60_000_000, divider, on)).spent(&counts).parts_fj[6]
    };
    assert_eq!([of(1, true), of(4, true), of(1, false)], [3_200, 800, 0]);
}
