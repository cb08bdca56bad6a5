//! Clock, sleep, resets and power by the data sheet.

use super::*;
use crate::devices::rig::Rig;

fn rig() -> Rig {
    let parameters = Parameters {
        oscillator_hz: 16_000_000,
        divided_by_8: false,
        start_up_cycles: slow_crystal(),
    };
    Rig::new(SystemControl::new(parameters))
}

#[test]
fn the_clock_is_divided_by_a_timed_sequence() {
    for late in 1..8 {
        let mut rig = rig();
        assert_eq!(rig.output("core_hz"), 16_000_000);
        rig.at(10).write(CLKPR, 0x80).at(10 + late - 1);
        let open = if late <= 4 { 0x80 } else { 0 };
        assert_eq!(rig.read(CLKPR), open);
        rig.at(10 + late).write(CLKPR, 4);
        assert_eq!(rig.output("core_hz"), if late <= 4 { 1_000_000 } else { 16_000_000 });
        assert_eq!(rig.at(20).read(CLKPR), if late <= 4 { 4 } else { 0 });
    }
    let mut rig = rig();
    assert_eq!(
        rig.write(CLKPR, 0x84).write(CLKPR, 4).output("core_hz"),
        16_000_000,
        "0x80 alone opens"
    );
    for divider in 0..=8 {
        rig.write(CLKPR, 0x80).write(CLKPR, divider);
        assert_eq!(rig.output("core_hz"), 16_000_000 >> divider);
    }
    rig.write(CLKPR, 0x80).write(CLKPR, 9);
    assert_eq!(rig.unmodelled(), ["CLKPR: a reserved division, the clock stays as it was"]);
}

#[test]
fn a_fuse_divides_the_clock_by_8() {
    let parameters =
        Parameters { oscillator_hz: 8_000_000, divided_by_8: true, start_up_cycles: 0 };
    let mut rig = Rig::new(SystemControl::new(parameters));
    assert_eq!((rig.output("core_hz"), rig.read(CLKPR)), (1_000_000, 3));
}

#[test]
fn the_core_sleeps_until_a_request_and_the_cycles_of_its_mode() {
    // SM, cycles of start-up, whether the I/O clock stops. A boundary would have seen the request at 101.
    for (mode, start_up, stops) in
        [(0, 0, 0), (1, 0, 1), (2, 16_384, 1), (3, 16_384, 1), (6, 6, 1), (7, 6, 1)]
    {
        let mut rig = rig();
        rig.write(SMCR, mode << 1 | 1).at(50).input("asked", 1).input("asked", 0);
        assert_eq!((rig.output("sleep"), rig.output("io_stopped")), (1, stops));
        let clocked = [0xFFFF, 1, 0, 0, 0, 0, 0, 0][mode as usize];
        assert_eq!((rig.output("sleep_mode"), rig.output("clocked")), (1 + mode, clocked));
        rig.at(100).input("requested", 1).at(50_000);
        assert_eq!(rig.changes("sleep"), [(0, 0), (50, 1), (101 + 5 + start_up, 0)], "mode {mode}");
        assert_eq!(rig.output("io_stopped"), 0);
        assert_eq!((rig.output("sleep_mode"), rig.output("clocked")), (0, 0xFFFF));
    }
}

#[test]
fn a_request_that_is_there_ends_a_sleep_at_once_and_none_does_without_interrupts() {
    let mut rig = rig();
    rig.write(SMCR, 1).input("requested", 1).at(50).input("asked", 1).at(100);
    assert_eq!(rig.changes("sleep"), [(0, 0), (50, 1), (55, 0)]);
    // A boundary would have seen this one at 51.
    let mut rig = self::rig();
    rig.write(SMCR, 1).at(50).input("requested", 1).input("asked", 1).at(100);
    assert_eq!(rig.changes("sleep"), [(0, 0), (50, 1), (56, 0)]);
    let mut rig = self::rig();
    rig.write(SMCR, 1).at(50).input("asked", 2).at(60).input("requested", 1).at(1000);
    assert_eq!(rig.output("sleep"), 1);
}

#[test]
fn sleep_needs_its_enable_and_a_mode() {
    let mut rig = rig();
    assert_eq!(rig.input("asked", 1).input("asked", 0).output("sleep"), 0);
    assert_eq!(rig.write(SMCR, 4 << 1 | 1).input("asked", 1).output("sleep"), 0);
    assert_eq!(rig.unmodelled(), ["SMCR: a reserved sleep mode, the core does not sleep"]);
}

#[test]
fn causes_of_resets_add_up_until_they_are_cleared() {
    let mut device = SystemControl::new(Parameters {
        oscillator_hz: 1_000_000,
        divided_by_8: false,
        start_up_cycles: 0,
    });
    let mut port = Port::new(0);
    device.reset(&mut port);
    assert_eq!(device.read(MCUSR, Width::Byte, &mut port) as u8, PORF);
    port.take(100);
    device.changed(WATCHDOG, 1, &mut port);
    device.reset(&mut port);
    assert_eq!(device.read(MCUSR, Width::Byte, &mut port) as u8, PORF | WDRF);
    device.write(MCUSR, Width::Byte, u32::from(WDRF), &mut port);
    device.reset(&mut port);
    assert_eq!(device.read(MCUSR, Width::Byte, &mut port) as u8, WDRF | EXTRF);
    assert!(port
        .take(200)
        .contains(&crate::device::Effect::Drive { output: WATCHDOG_FORCED, level: 1 }));
    device.write(MCUSR, Width::Byte, 0, &mut port);
    assert!(port
        .take(200)
        .contains(&crate::device::Effect::Drive { output: WATCHDOG_FORCED, level: 0 }));
}

#[test]
fn power_reduction_halts_parts() {
    let mut rig = rig();
    let bits = [
        (PRR0, 5, "timer0_halted"),
        (PRR0, 3, "timer1_halted"),
        (PRR0, 6, "timer2_halted"),
        (PRR1, 3, "timer3_halted"),
        (PRR1, 4, "timer4_halted"),
        (PRR1, 5, "timer5_halted"),
        (PRR0, 1, "usart0_halted"),
        (PRR1, 0, "usart1_halted"),
        (PRR1, 1, "usart2_halted"),
        (PRR1, 2, "usart3_halted"),
    ];
    for (register, bit, name) in bits {
        rig.write(register, 1 << bit);
        let halted = bits.iter().filter(|one| rig.output(one.2) == 1).map(|one| one.2);
        assert_eq!(halted.collect::<Vec<_>>(), [name]);
        let place = bit + if register == PRR1 { 8 } else { 0 };
        assert_eq!(rig.output("clocked"), 0xFFFF & !(1 << place));
        rig.write(register, 0);
    }
    assert_eq!((rig.write(PRR0, 0xFF).read(PRR0), rig.write(PRR1, 0xFF).read(PRR1)), (0xEF, 0x3F));
}

#[test]
fn some_registers_hold_what_is_written_and_say_what_they_do_not_do() {
    let mut rig = rig();
    for at in [OSCCAL, GPIOR0, GPIOR0 + 1, GPIOR2, XMCRB, SPMCSR] {
        assert_eq!(rig.write(at, 0xA5).read(at), 0xA5);
    }
    rig.write(MCUCR, PUD.into());
    assert_eq!((rig.output("pull_ups_off"), rig.read(MCUCR)), (1, u32::from(PUD)));
    rig.write(XMCRA, 0x80).write(MCUCR, 1).at(2).write(MCUCR, 2);
    assert_eq!(
        rig.unmodelled(),
        ["XMCRA: SRE, there is no memory outside", "MCUCR: IVSEL, the vectors stay where they are",]
    );
}
