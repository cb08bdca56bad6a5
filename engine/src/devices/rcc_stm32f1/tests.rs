//! Clocks by hand from RM0041's clock tree.

use super::*;
use crate::devices::rig::Rig;

const CR: u32 = 0x00;
const CFGR: u32 = 0x04;
const CIR: u32 = 0x08;
const APB2ENR: u32 = 0x18;
const CFGR2: u32 = 0x2C;
const PLL_X6: u32 = 4 << 18;

fn made() -> Rig {
    let given = "oscillator_hz = 8000000".parse::<toml::Table>().unwrap();
    Rig::new(ResetAndClock::new(crate::registry::parameters(given).unwrap()).unwrap())
}

#[test]
fn after_reset_the_hsi_runs_the_core_and_nothing_else_is_clocked() {
    let mut rig = made();
    assert_eq!((rig.read(CR), rig.read(CFGR), rig.read(0x14)), (0x83, 0, 0x14));
    assert_eq!(rig.read(0x24), 0x0C00_0000, "PINRSTF and PORRSTF");
    assert_eq!((rig.output("core_hz"), rig.output("timer1_divider")), (8_000_000, 1));
    for gate in rig.outputs().iter().filter(|name| name.ends_with("_halted")) {
        assert_eq!(rig.output(gate), 1, "{gate}");
    }
}

#[test]
fn twenty_four_megahertz_come_from_half_the_hsi_times_six() {
    let mut rig = made();
    rig.write(CFGR, PLL_X6).write(CR, 0x83 | PLLON);
    // 200 µs at 8 MHz.
    assert_eq!(rig.at(1599).read(CR) & PLLON << 1, 0);
    assert_eq!(rig.at(1600).read(CR) & PLLON << 1, PLLON << 1);
    rig.at(1700).write(CFGR, PLL_X6 | 2);
    assert_eq!((rig.read(CFGR) >> 2 & 3, rig.output("core_hz")), (2, 24_000_000));
    assert_eq!(rig.unmodelled(), [""; 0]);
}

#[test]
fn a_clock_that_is_asked_for_early_comes_when_it_is_ready() {
    let mut rig = made();
    rig.write(CR, 0x83 | HSEON).write(CFGR, 1);
    assert_eq!((rig.read(CFGR), rig.at(15_999).read(CFGR)), (1, 1));
    assert_eq!((rig.at(16_000).read(CFGR), rig.output("core_hz")), (0b101, 8_000_000));
    assert_eq!(rig.write(CR, 0x82).read(CR) & HSEON, HSEON, "it cannot be switched off");
    assert_eq!(rig.read(CR) & 3, 0, "but the HSI can");
}

#[test]
fn every_divider_of_every_bus() {
    let ahb = [1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 64, 128, 256, 512];
    for (code, divider) in ahb.into_iter().enumerate() {
        let mut rig = made();
        rig.write(CFGR, (code as u32) << 4);
        assert_eq!(rig.output("core_hz"), 8_000_000 / divider, "HPRE {code}");
    }
    let apb = [1, 1, 1, 1, 2, 4, 8, 16];
    for (code, divider) in apb.into_iter().enumerate() {
        let mut rig = made();
        rig.write(CFGR, (code as u32) << 8);
        let timers = if divider == 1 { 1 } else { divider / 2 };
        let driven = (rig.output("pclk1_divider"), rig.output("pclk2_divider"));
        assert_eq!((driven, rig.output("timer1_divider")), ((divider, 1), timers));
        rig.write(CFGR, (code as u32) << 11);
        assert_eq!((rig.output("pclk1_divider"), rig.output("pclk2_divider")), (1, divider));
    }
}

#[test]
fn factors_and_predividers_of_the_pll() {
    for code in 0..16 {
        for predivider in [0, 1, 5, 15] {
            let mut rig = made();
            rig.write(CR, 0x83 | HSEON).at(20_000).write(CFGR2, predivider);
            let configuration = rig.read(CFGR) | code << 18 | 1 << 16;
            rig.write(CFGR, configuration).write(CR, 0x83 | HSEON | PLLON).at(30_000);
            rig.write(CFGR, configuration | 2);
            let expected = 8_000_000 / (predivider + 1) * (code + 2).min(16);
            assert_eq!(rig.output("core_hz"), expected, "code {code}, PREDIV1 {predivider}");
            let fast = rig.unmodelled().iter().any(|text| text.starts_with("a core clock above"));
            assert_eq!(fast, expected > 24_000_000);
        }
    }
}

#[test]
fn the_pll_keeps_its_fields_while_it_is_on() {
    let mut rig = made();
    rig.write(CFGR, PLL_X6).write(CR, 0x83 | PLLON).write(CFGR, 7 << 18).write(CFGR2, 3);
    assert_eq!((rig.read(CFGR), rig.read(CFGR2)), (PLL_X6, 0));
    assert_eq!(rig.unmodelled().len(), 2);
}

#[test]
fn gates_and_resets_are_lines_of_their_own() {
    let mut rig = made();
    rig.write(APB2ENR, 1 << 14).write(0x0C, 1 << 14 | 1 << 2);
    assert_eq!((rig.output("usart1_halted"), rig.output("gpioa_halted")), (2, 3));
    rig.write(0x0C, 0);
    assert_eq!((rig.output("usart1_halted"), rig.output("apb2_enabled")), (0, 1 << 14));
    assert_eq!(rig.write(APB2ENR, !0).read(APB2ENR), gates::APB2);
}

#[test]
fn readiness_interrupts_until_it_is_cleared() {
    let mut rig = made();
    rig.write(CIR, 1 << 12).write(CR, 0x83 | PLLON).at(1600);
    assert_eq!((rig.read(CIR), rig.output("interrupt")), (1 << 12 | 1 << 4, 1));
    assert_eq!(rig.write(CIR, 1 << 12 | 1 << 20).output("interrupt"), 0);
}

#[test]
fn after_stop_the_hsi_runs_the_core() {
    let mut rig = made();
    rig.write(CFGR, PLL_X6).write(CR, 0x83 | PLLON).at(1600).write(CFGR, PLL_X6 | 2);
    rig.input("stopped", 1);
    assert_eq!((rig.output("core_hz"), rig.read(CR)), (8_000_000, 0x83));
    assert_eq!(rig.read(CFGR), PLL_X6);
}
