//! Where the host grants no memory for code, blocks run: the same state, and nothing translated.
#![cfg(all(feature = "translate", target_arch = "x86_64"))]

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::cores::arm7tdmi::Arm7tdmi;

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

#[test]
fn blocks_run_where_memory_for_code_is_refused() {
    let tier = Tier::Translated { after: 2 };
    let (plain, _) = ran(Tier::Plain);
    let (granted, translated) = ran(tier);
    std::env::set_var(REFUSE, "1");
    let (refused, none) = ran(tier);
    assert!(translated > 10_000, "{translated}");
    assert_eq!((none, granted, refused), (0, plain.clone(), plain));
}
