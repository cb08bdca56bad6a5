//! Wait states and other masters on the buses, as the pipeline sees them. Counted by hand from the rules of
//! `docs/timing/cortex-m3.md`; no recording has any.

use cyclescope_engine::board::Request;

use super::board::{self, CODE, RAM};

/// A flash with wait states on a bus of its own, a RAM on another, a port behind a bridge, and a DMA controller.
const BOARD: &str = r#"
name = "waits"
[core]
kind = "armv7m"
interrupt_synchroniser_cycles = 0
parameters = { interrupts = 8, priority_bits = 4, revision = "r1p1" }
[[bus]]
name = "flash"
cycles = 0
overlaps = true
[[bus]]
name = "ram"
cycles = 0
overlaps = true
[[bus]]
name = "ahb"
cycles = 0
[[bus]]
name = "apb"
cycles = 0
pclk_cycles = 1
[[memory]]
name = "flash"
base = 0
size = 0x1_0000
kind = "rom"
bus = "flash"
cycles = 0
n_wait = WAITS
[[memory]]
name = "ram"
base = 0x2000_0000
size = 0x1_0000
bus = "ram"
cycles = 0
[[device]]
name = "port"
kind = "gpio_stm32f1"
maps = [{ base = 0x4001_0800, size = 0x400, bus = "apb" }]
[[device]]
name = "dma1"
kind = "dma_stm32f1"
maps = [{ base = 0x4002_0000, size = 0x400, bus = "ahb" }]
"#;

/// Registers of the port, and of the first channel of the controller.
const PORT: u32 = 0x4001_080C;
const CHANNEL: u32 = 0x4002_0008;
/// MEM2MEM, words on both sides, both addresses go on.
const COPIES: u32 = 0x4AC0;

const NOP: [u16; 1] = [0xBF00];
/// ADD.W r1, r1, #1.
const ADD: [u16; 2] = [0xF101, 0x0101];
/// UDIV r3, r4, r5.
const UDIV: [u16; 2] = [0xFBB4, 0xF3F5];
/// LDR r3, [r0].
const LDR: [u16; 1] = [0x6803];
/// STR r3, [r0].
const STR: [u16; 1] = [0x6003];

/// MOVW and MOVT.
fn set(code: &mut Vec<u16>, register: u16, value: u32) {
    for (opcode, half) in [(0xF240, value as u16), (0xF2C0, (value >> 16) as u16)] {
        let first = opcode | half >> 12 | (half >> 1 & 0x400);
        code.extend([first, (half & 0x700) << 4 | register << 8 | half & 0xFF]);
    }
}

/// Where code lies in the RAM.
const IN_RAM: u32 = RAM + 0x2000;
/// Half-words of the flash from the start on, behind which it lies there.
const BEHIND: usize = 0x80;

/// A program's memories, and the master beside it.
#[derive(Clone, Copy)]
struct Setting {
    /// Wait states of the flash.
    waits: u32,
    /// An address in r0.
    r0: u32,
    /// The controller copies from here on.
    copies: Option<u32>,
    /// The code lies in the RAM.
    in_ram: bool,
}

const QUIET: Setting = Setting { waits: 0, r0: RAM, copies: None, in_ram: false };

/// Cycles of these instructions, so many times one behind the other, after a start.
fn cycles(setting: Setting, code: &[u16], times: usize) -> u64 {
    let file = BOARD.replace("WAITS", &setting.waits.to_string());
    let mut program = Vec::new();
    set(&mut program, 4, u32::MAX);
    set(&mut program, 5, 1);
    set(&mut program, 0, setting.r0);
    let copies = u32::from(setting.copies.is_some());
    let from = setting.copies.unwrap_or(RAM);
    for (register, value) in [(12, RAM + 0x8000), (8, from), (4, 0x2000), (0, COPIES | copies)] {
        set(&mut program, 6, CHANNEL + register);
        set(&mut program, 7, value);
        program.push(0x6037);
    }
    let place = if setting.in_ram { IN_RAM } else { CODE + 2 * BEHIND as u32 };
    set(&mut program, 6, place | 1);
    program.push(0x4730);
    let repeated = code.repeat(times + 4);
    if !setting.in_ram {
        program.resize(BEHIND, NOP[0]);
        program.extend(&repeated);
    }
    let mut board = board::of_file(&file, &program);
    if setting.in_ram {
        let bytes: Vec<u8> = repeated.iter().flat_map(|half| half.to_le_bytes()).collect();
        board.write_memory(place, &bytes).unwrap();
    }
    let mut run_to = |address| {
        let request = Request { pcs: vec![address], cycles: Some(100_000), ..Request::default() };
        let stop = board.run(&request).unwrap();
        assert_eq!(stop.reason.name(), "pc");
        board.cycle()
    };
    let begun = run_to(place);
    run_to(place + (2 * code.len() * times) as u32) - begun
}

/// Cycles of forty repetitions more than twenty.
fn forty(setting: Setting, code: &[u16]) -> u64 {
    cycles(setting, code, 60) - cycles(setting, code, 20)
}

fn with_waits(waits: u32) -> Setting {
    Setting { waits, ..QUIET }
}

/// A load or a store, and five instructions that need no memory.
fn and_five(one: [u16; 1]) -> [u16; 6] {
    let [opcode] = one;
    [opcode, 0x3101, 0x3101, 0x3101, 0x3101, 0x3101]
}

#[test]
fn a_word_of_code_comes_every_so_many_cycles() {
    // A word has two of these, and each takes a cycle.
    let narrow = [0, 1, 2, 3].map(|waits| forty(with_waits(waits), &NOP));
    assert_eq!(narrow, [40, 40, 60, 80]);
    let wide = [0, 1, 2, 3].map(|waits| forty(with_waits(waits), &ADD));
    assert_eq!(wide, [40, 80, 120, 160]);
}

#[test]
fn waits_of_fetches_pass_under_long_instructions() {
    let quotients = [0, 1, 2, 8].map(|waits| forty(with_waits(waits), &UDIV));
    assert_eq!(quotients, [480; 4]);
}

#[test]
fn waits_of_flash_do_not_matter_to_code_in_ram() {
    let setting = |waits| Setting { waits, in_ram: true, ..QUIET };
    assert_eq!([0, 2].map(|waits| forty(setting(waits), &ADD)), [80, 80]);
}

#[test]
fn code_and_data_in_flash_take_turns() {
    let setting = |waits| Setting { waits, r0: 0x40, ..QUIET };
    // Two loads need three words.
    assert_eq!([1, 2].map(|waits| forty(setting(waits), &LDR)), [120, 180]);
}

#[test]
fn a_buffered_store_waits_beside_other_work_and_a_load_does_not() {
    let port = Setting { r0: PORT, ..QUIET };
    assert_eq!([QUIET, port].map(|setting| forty(setting, &and_five(STR))), [240, 240]);
    assert_eq!([QUIET, port].map(|setting| forty(setting, &STR)), [40, 80]);
    assert_eq!([QUIET, port].map(|setting| forty(setting, &and_five(LDR))), [280, 320]);
    assert_eq!([QUIET, port].map(|setting| forty(setting, &LDR)), [40, 80]);
}

#[test]
fn a_controller_delays_what_uses_its_memory_and_nothing_else() {
    let beside = |copies| Setting { copies: Some(copies), ..QUIET };
    // Each transfer takes a cycle for its read, one for its write, and one to choose the next.
    assert_eq!([RAM, 0].map(|from| forty(beside(from), &ADD)), [40, 60]);
    assert_eq!([RAM, 0].map(|from| forty(beside(from), &UDIV)), [480, 480]);
    assert_eq!([RAM, 0].map(|from| forty(beside(from), &LDR)), [120, 60]);
    assert_eq!([RAM, 0].map(|from| forty(beside(from), &and_five(STR))), [240, 240]);
}
