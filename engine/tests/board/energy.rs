//! The power meter on whole boards: parts add up to the total, whoever asks and however the run goes.

use std::collections::BTreeMap;

use cyclescope_engine::board::Board;
use cyclescope_engine::energy::Spent;
use cyclescope_engine::instruments::power_meter::{Ledger, Metering, Places};
use cyclescope_engine::instruments::window::Window;

use crate::programs::{board, lpc2148, run_cycles, words, ArmBoard};

/// RAM, a slow memory and a device on a bus; every coefficient a power of ten of its own.
const BOARD: &str = r#"
name = "metered"
[core]
kind = "arm7tdmi"
[clock]
oscillator_hz = 1_000_000
[energy]
supply = "direct"
nominal_mv = 1000
quiescent = { ua = 1, source = "made up" }
capacitance = { ff = 7_000_000, source = "made up" }
active = { fj = 10_000, source = "made up" }
stall = { fj = 100_000, source = "made up" }
idle = { fj = 5, source = "made up" }
[[energy.access]]
to = "memory.slow"
fj = 1_000_000
source = "made up"
[[energy.access]]
to = "bus.local"
fj = 10_000_000
source = "made up"
[[energy.clocked]]
device = "timer"
fj = 3
source = "made up"
[[memory]]
name = "ram"
base = 0
size = 0x10000
[[memory]]
name = "slow"
base = 0x100000
size = 0x1000
n_wait = 2
[[bus]]
name = "local"
cycles = 3
[[device]]
name = "timer"
kind = "measurement_timer"
maps = [{ base = 0x200000, size = 8, bus = "local" }]
"#;

const NOP: u32 = 0xe1a0_0000;
const B_SELF: u32 = 0xeaff_fffe;
const BX_LR: u32 = 0xe12f_ff1e;

/// Nothing but the total, or by instruction.
fn metering(places: Places) -> Metering {
    Metering { places, current_task: None, executed: vec![], accessed: vec![], window: None }
}

fn sum(ledger: &Ledger) -> Spent {
    let mut sum = Spent::default();
    ledger.values().for_each(|spent| sum.add(spent, 1));
    sum
}

fn by_place(ledger: &Ledger) -> BTreeMap<u32, u128> {
    let mut places = BTreeMap::new();
    for (spender, spent) in ledger {
        *places.entry(spender.place).or_default() += spent.total_fj();
    }
    places
}

#[test]
fn every_event_is_charged_to_the_instruction_that_made_it() {
    let program = [
        0xe592_1000, // ldr r1, [r2]: 1S + 1N + 1I, the N at the slow memory: 2 stalls
        0xe593_1000, // ldr r1, [r3]: the same at the device
        NOP,
        B_SELF,
    ];
    let mut board = board(BOARD);
    board.load_bytes(0x100, &words(&program)).unwrap();
    board.reset(Some(0x100));
    board.arm_mut().set_register(2, 0x10_0000);
    board.arm_mut().set_register(3, 0x20_0000);
    board.meter(metering(Places::Instructions)).unwrap();
    board.run(&run_cycles(board.cycle() + 5 + 5 + 1 + 3)).unwrap();
    let ledger = board.spent().unwrap();
    // 1 uA at 1 V and 1 MHz: 1 pJ a cycle; and 3 fJ for the timer.
    let time = 1_000 + 3;
    let expected = [
        (0x100, 3 * 10_000 + 2 * 100_000 + 1_000_000 + 5 * time),
        (0x104, 3 * 10_000 + 2 * 100_000 + 10_000_000 + 5 * time),
        (0x108, 10_000 + time),
        (0x10C, 3 * 10_000 + 3 * time),
    ];
    assert_eq!(by_place(&ledger).into_iter().collect::<Vec<_>>(), expected);
    let sum = sum(&ledger);
    assert_eq!((sum.cycles, sum.capacitive_fj), (14, 14 * 7_000_000));
}

#[test]
fn the_data_sheets_currents_come_out_of_its_own_experiment() {
    // while (1) from flash, all peripherals off, MAM on: 40 mA at 60 MHz, 15 mA at 10 MHz.
    for (core_hz, milliamperes) in [(60_000_000, 40), (10_000_000, 15)] {
        let mut board = lpc2148();
        board.load_bytes(0x200, &words(&[NOP, B_SELF])).unwrap();
        board.reset(Some(0x200));
        board.drive("clock.core_hz", core_hz, None).unwrap();
        board.drive("memory.flash.mam", 2 | 3 << 8, None).unwrap();
        board.drive("bus.vpb.divider", 1, None).unwrap();
        board.run(&run_cycles(1_000)).unwrap();
        board.meter(metering(Places::From(vec![]))).unwrap();
        let from = board.cycle();
        board.run(&run_cycles(from + 60_000)).unwrap();
        let spent = sum(&board.spent().unwrap());
        let names = board.energy().unwrap().parts();
        let devices = names.iter().zip(&spent.parts_fj).filter(|(n, _)| n.starts_with("device."));
        let clocked: u128 = devices.map(|(_, fj)| *fj).sum();
        let joules = (spent.total_fj() - clocked) as f64 * 1e-15;
        let volts = if core_hz == 10_000_000 { 2.9 } else { 3.3 };
        let amperes = joules / volts / (spent.cycles as f64 / f64::from(core_hz));
        assert!((amperes * 1e3 - f64::from(milliamperes)).abs() < 1e-4, "{amperes} A at {core_hz}");
        assert!(clocked > 0, "after reset eight peripherals are clocked");
    }
}

#[test]
fn a_change_of_clock_and_of_gates_changes_the_rates_from_the_next_charge_on() {
    let mut board = lpc2148();
    board.load_bytes(0x200, &words(&[B_SELF])).unwrap();
    board.reset(Some(0x200));
    board.meter(metering(Places::Instructions)).unwrap();
    let rate = |board: &mut Board| {
        let before = sum(&board.spent().unwrap());
        board.run(&run_cycles(board.cycle() + 3_000)).unwrap();
        let after = sum(&board.spent().unwrap());
        let cycles = u128::from(after.cycles - before.cycles);
        (after.capacitive_fj - before.capacitive_fj) / cycles
    };
    // 202.02 pF at 2.9 V and at 3.3 V.
    assert_eq!(rate(&mut board), 1_698_988);
    board.drive("clock.core_hz", 60_000_000, None).unwrap();
    assert_eq!(rate(&mut board), 2_199_998);
    // PCONP = 0: a store into the register, and no device takes anything from then on.
    let devices = |board: &Board| -> u128 {
        let names = board.energy().unwrap().parts();
        let spent = sum(&board.spent().unwrap());
        let parts = names.iter().zip(&spent.parts_fj);
        parts.filter(|(name, _)| name.starts_with("device.")).map(|(_, fj)| fj).sum()
    };
    let store = [0xe582_1000 /* str r1, [r2] */, B_SELF];
    board.load_bytes(0x4000_0000, &words(&store)).unwrap();
    board.reset(Some(0x4000_0000));
    board.arm_mut().set_register(2, 0xE01F_C0C4);
    board.run(&run_cycles(100)).unwrap();
    let settled = devices(&board);
    assert!(settled > 0);
    board.run(&run_cycles(10_000)).unwrap();
    assert_eq!(devices(&board), settled);
}

#[test]
fn a_reset_and_a_new_meter_begin_at_nothing() {
    let mut board = board(BOARD);
    board.load_bytes(0, &words(&[NOP, NOP, B_SELF])).unwrap();
    assert!(board.spent().unwrap_err().to_string().contains("No power meter is attached"));
    board.reset(None);
    board.meter(metering(Places::Instructions)).unwrap();
    let run = |board: &mut Board| {
        board.reset(None);
        board.run(&run_cycles(500)).unwrap();
        board.spent().unwrap()
    };
    let (first, second) = (run(&mut board), run(&mut board));
    assert_eq!(first, second);
    assert_eq!(sum(&first).cycles, board.cycle(), "from reset on, the filling of the pipeline too");
    board.meter(metering(Places::Instructions)).unwrap();
    assert_eq!(board.spent().unwrap(), Ledger::new());
}

#[test]
fn interrupts_and_tasks_have_their_own_accounts() {
    const TASK: u32 = 0x2000;
    let program = [
        0xe583_1000, // str r1, [r3]: another task is current from here on
        NOP,
        NOP,
        NOP,
        NOP,
        B_SELF,
    ];
    let mut board = board(BOARD);
    board.load_bytes(0x100, &words(&program)).unwrap();
    board.load_bytes(0x18, &words(&[0xe25e_f004 /* subs pc, lr, #4 */])).unwrap();
    board.load_bytes(TASK, &words(&[7])).unwrap();
    board.reset(Some(0x100));
    let mut state = board.arm().state();
    state.cpsr = 0x1F;
    (state.user[1], state.user[3]) = (8, TASK);
    board.arm_mut().set_state(&state);
    board.meter(Metering { current_task: Some(TASK), ..metering(Places::From(vec![])) }).unwrap();
    let from = board.cycle();
    board.drive("core.irq", 1, Some(from + 3)).unwrap();
    board.drive("core.irq", 0, Some(from + 7)).unwrap();
    board.run(&run_cycles(from + 2 + 4 + 6 + 30)).unwrap();
    let ledger = board.spent().unwrap();
    let accounts: Vec<_> =
        ledger.iter().map(|(who, spent)| (who.mode, who.task, spent.cycles)).collect();
    // 2N for the store; entry 3 and return 3 in IRQ mode (0x12), the rest in system mode (0x1F).
    assert_eq!(accounts, [(0x12, 8, 6), (0x1F, 7, 2), (0x1F, 8, 34)]);
}

#[test]
fn readings_and_calls_are_parts_of_the_whole() {
    let program = [
        0xe1a0_e00f, // mov lr, pc
        0xe12f_ff15, // bx r5
        0xeaff_fffc, // b 0x100
    ];
    let mut board = board(BOARD);
    board.load_bytes(0x100, &words(&program)).unwrap();
    board.load_bytes(0x200, &words(&[0xe593_1000 /* ldr r1, [r3] */, NOP, BX_LR])).unwrap();
    board.reset(Some(0x100));
    board.arm_mut().set_register(3, 0x20_0000);
    board.arm_mut().set_register(5, 0x200);
    let window = Some(Window { start: 0x100, entry: 0x200, returned: 0x108 });
    let (executed, accessed) = (vec![0x200, 0x108], vec![0x20_0000]);
    board.meter(Metering { executed, accessed, window, ..metering(Places::Instructions) }).unwrap();
    let from = board.cycle();
    board.run(&run_cycles(from + 10 * 16)).unwrap();
    let (readings, calls) = (board.take_readings(), board.take_metered_calls());
    assert_eq!((readings.len(), calls.len()), (30, 10));
    for (three, call) in readings.chunks(3).zip(&calls) {
        let addresses: Vec<_> = three.iter().map(|reading| reading.address).collect();
        assert_eq!(addresses, [0x200, 0x20_0000, 0x108]);
        let inside = sum(&call.ledger);
        assert_eq!(three[2].total_fj - three[0].total_fj, inside.total_fj());
        assert_eq!(three[2].capacitive_fj - three[0].capacitive_fj, inside.capacitive_fj);
        assert_eq!((three[0].cycle, inside.cycles), (call.entered, call.cycles));
        // Up to the timer's data cycle: 1S and the N at the device.
        assert_eq!(three[1].cycle - three[0].cycle, 1 + 3);
    }
}

#[test]
fn what_a_board_file_says_of_energy_is_checked() {
    let error = |from: &str, to: &str| {
        assert!(BOARD.contains(from), "{from}");
        Board::from_text(&BOARD.replacen(from, to, 1), "test.toml").err().unwrap().to_string()
    };
    let cases = [
        ("nominal_mv", "nominal_volt", "unknown field `nominal_volt`"),
        ("fj = 5, source = \"made up\"", "fj = 5", "\"idle\" needs a source, or the rule"),
        ("fj = 5, source", "fj = 5, rule = \"r\", source", "and not both"),
        (
            "fj = 5, source = \"made up\"",
            "fj = 5, rule = \"r\"",
            "A rule \"r\" is named, which does not exist",
        ),
        ("nominal_mv = 1000", "nominal_mv = 0", "nominal_mv of [energy] must be 1 to 20000"),
        (
            "to = \"memory.slow\"",
            "to = \"memory.fast\"",
            "to \"memory.fast\", which does not exist",
        ),
        ("to = \"memory.slow\"", "to = \"slow\"", "write memory.<name> or bus.<name>"),
        (
            "to = \"memory.slow\"",
            "to = \"bus.local\"",
            "Two [[energy.access]] are of \"bus.local\"",
        ),
        ("fj = 10_000,", "fj = 1_000_000_001,", "1000000001 fJ for one event"),
        (
            "fj = 3\n",
            "fj = 3\ngate = { signal = \"timer.on\", bit = 0 }\n",
            "has no output \"timer.on\"",
        ),
        ("fj = 3\n", "fj = 3\ngate = { signal = \"timer.on\", bit = 32 }\n", "Bit 32 of timer.on"),
        ("device = \"timer\"", "device = \"clock\"", "device \"clock\", which does not exist"),
        (
            "[energy]",
            "[[operating_point]]\nname = \"o\"\ncore_hz = 0\nsupply_mv = 1\n[energy]",
            "needs a core_hz above 0",
        ),
        (
            "[energy]",
            "[[operating_point]]\nname = \"o\"\ncore_hz = 9\nsupply_mv = 1\n[energy]",
            "\"o\" needs a source",
        ),
    ];
    for (from, to, expected) in cases {
        let message = error(from, to);
        assert!(message.contains(expected), "{message} should say {expected}");
    }
    let twice =
        "[[operating_point]]\nname = \"o\"\ncore_hz = 9\nsupply_mv = 1\nsource = \"s\"\n".repeat(2);
    let message = error("[energy]", &format!("{twice}[energy]"));
    assert!(message.contains("has the name or the core_hz of another"), "{message}");
    let line =
        "[[energy.line_read]]\nmemory = \"slow\"\nfj = 1\nsource = \"s\"\n[[energy.clocked]]";
    let message = error("[[energy.clocked]]", line);
    assert!(message.contains("\"slow\", which reads no lines"), "{message}");
    let mut without = crate::programs::board(crate::programs::MINIMAL);
    let message = without.meter(metering(Places::Instructions)).unwrap_err().to_string();
    assert!(message.contains("minimal has no energy model"), "{message}");
}

#[test]
fn unverified_coefficients_are_confessed_by_who_was_metered() {
    let mut board = lpc2148();
    board.load_bytes(0x200, &words(&[B_SELF])).unwrap();
    board.reset(Some(0x200));
    board.run(&run_cycles(100)).unwrap();
    let ids = |board: &Board| -> Vec<String> {
        board
            .unverified()
            .iter()
            .map(|rule| rule.id.clone())
            .filter(|id| id.starts_with("energy"))
            .collect()
    };
    assert_eq!(ids(&board), [""; 0]);
    board.meter(metering(Places::Instructions)).unwrap();
    assert_eq!(ids(&board), ["energy-current", "energy-split", "energy-peripherals"]);
    board.detach_all();
    assert_eq!(ids(&board).len(), 3, "what was metered since the reset stays so");
    board.reset(None);
    assert_eq!(ids(&board), [""; 0]);
}
