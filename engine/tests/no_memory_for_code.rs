//! Where the host grants no memory for code, blocks run: the same state, and nothing translated.
#![cfg(all(feature = "translate", target_arch = "x86_64"))]

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::cores::arm7tdmi::Arm7tdmi;
use cyclescope_engine::cores::avr::Avr;

/// The variable that has memory refused, as some systems refuse it. It is read by each board, so no other test may run in this
/// process.
const REFUSE: &str = "CYCLESCOPE_NO_EXECUTABLE_MEMORY";

const BOARD: &str = "name = \"small\"\n[core]\nkind = \"arm7tdmi\"\n\
                     [[memory]]\nname = \"ram\"\nbase = 0\nsize = 0x1000\n";

/// A loop of sums and stores: the core, memory and cycle behind it, and how many instructions were translated.
fn ran(tier: Tier) -> ((String, Vec<u8>, u64), u64) {
    // add r0, r0, #1; eor r1, r1, r0, lsl #3; str r1, [r2, #0x200]; b
    let program = [0xE280_0001u32, 0xE021_1180, 0xE582_1200, 0xEAFF_FFFB];
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut board = Board::from_text(BOARD, "small.toml").unwrap();
    board.set_tier(tier);
    board.load_bytes(0, &bytes).unwrap();
    board.reset(Some(0));
    let stop = board.run(&Request { cycles: Some(100_000), ..Request::default() }).unwrap();
    let core: &Arm7tdmi = board.core_as().unwrap();
    let core = format!("{:?}", core.state());
    let memory = board.read_memory(0, 0x1000).unwrap();
    ((core, memory, stop.cycle), board.translations().instructions)
}

const AVR: &str = "name = \"avr\"\n[core]\nkind = \"avr\"\n\
                   parameters = { program_words = 0x800, stack_top = 0x8FF }\n\
                   [[memory]]\nname = \"flash\"\nbase = 0\nsize = 0x1000\nkind = \"rom\"\ncycles = 0\n\
                   [[memory]]\nname = \"sram\"\nbase = 0x80_0100\nsize = 0x800\ncycles = 0\n";

/// The same of an AVR.
fn ran_on_avr(tier: Tier) -> ((String, Vec<u8>, u64), u64) {
    // inc r16; add r17, r16; sts 0x200, r17; rjmp
    let program = [0x9503u16, 0x0F10, 0x9310, 0x0200, 0xCFFB];
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut board = Board::from_text(AVR, "avr.toml").unwrap();
    board.set_tier(tier);
    board.load_bytes(0, &bytes).unwrap();
    board.reset(Some(0));
    let stop = board.run(&Request { cycles: Some(100_000), ..Request::default() }).unwrap();
    let core = format!("{:?}", board.core_as::<Avr>().unwrap().state());
    let memory = board.read_memory(0x80_0100, 0x800).unwrap();
    ((core, memory, stop.cycle), board.translations().instructions)
}

#[test]
fn blocks_run_where_memory_for_code_is_refused() {
    let tier = Tier::Translated { after: 2 };
    let (plain, _) = ran(Tier::Plain);
    let (granted, translated) = ran(tier);
    let (avr_plain, _) = ran_on_avr(Tier::Plain);
    let (avr_granted, avr_translated) = ran_on_avr(tier);
    std::env::set_var(REFUSE, "1");
    let (refused, none) = ran(tier);
    let (avr_refused, avr_none) = ran_on_avr(tier);
    assert!(translated > 10_000 && avr_translated > 10_000, "{translated}, {avr_translated}");
    assert_eq!((avr_none, avr_granted, avr_refused), (0, avr_plain.clone(), avr_plain));
    assert_eq!((none, granted, refused), (0, plain.clone(), plain));
}
