//! Board files with a mistake: one sentence that names it.

use cyclescope_engine::board::Board;

use crate::programs::MINIMAL;

fn error(text: &str) -> String {
    match Board::from_text(text, "test.toml") {
        Ok(_) => panic!("accepted"),
        Err(error) => error.0,
    }
}

fn with(addition: &str) -> String {
    format!("{MINIMAL}{addition}")
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let message = error(&with("n_waits = 3\n"));
    assert!(
        message.starts_with("test.toml, line 9: unknown field `n_waits`, expected one of `name`"),
        "{message}"
    );
}

#[test]
fn an_unknown_table_is_named() {
    let message = error(&with("[power]\nvolts = 3\n"));
    assert!(message.contains("line 9: unknown field `power`"), "{message}");
}

#[test]
fn what_the_firmware_is_built_with_is_passed_over() {
    let text = with("[firmware]\nwire = { to = \"uart0.rxd\" }\n");
    let board = Board::from_text(&text, "test.toml").expect("the table is the lab's");
    assert!(!board.description().to_toml().expect("it is TOML").contains("firmware"));
}

#[test]
fn a_value_of_the_wrong_kind_is_named_with_its_line() {
    let message = error(&MINIMAL.replace("0x10000", "\"64K\""));
    assert!(message.starts_with("test.toml, line 8: invalid type: string \"64K\""), "{message}");
}

#[test]
fn text_that_is_no_toml_is_refused_with_its_line() {
    let message = error("name = \"x\"\n[core\n");
    assert!(message.starts_with("test.toml, line 2: "), "{message}");
}

#[test]
fn overlapping_regions_are_both_named() {
    let message = error(&with("[[memory]]\nname = \"rom\"\nbase = 0xFFFC\nsize = 16\n"));
    assert_eq!(
        message,
        "memory \"ram\" (0x0 to 0xffff) overlaps memory \"rom\" (0xfffc to 0x1000b): move or shrink one of them."
    );
}

#[test]
fn a_device_must_not_overlap_a_memory() {
    let message = error(&with(
        "[[bus]]\nname = \"local\"\ncycles = 1\n[[device]]\nname = \"timer\"\nkind = \"measurement_timer\"\n\
         maps = [{ base = 0x8000, size = 8, bus = \"local\" }]\n",
    ));
    assert_eq!(
        message,
        "memory \"ram\" (0x0 to 0xffff) overlaps device \"timer\" (0x8000 to 0x8007): move or shrink one of them."
    );
}

#[test]
fn every_missing_or_impossible_part_has_its_sentence() {
    let cases = [
        ("name = \"x\"\n".to_owned(), "The board file has no [core]; add one with kind = \"arm7tdmi\" or \"avr\" or \"armv7m\"."),
        (
            "[core]\nkind = \"arm7tdmi\"\n".to_owned(),
            "The board file has no name; add name = \"…\" at its top.",
        ),
        (with("width = 64\n"), "Memory \"ram\" has width 64: it must be 8, 16 or 32."),
        (
            with("n_wait = 1\ntiming = { kind = \"mam_lpc2000\" }\n"),
            "Memory \"ram\" has both a timing and wait states: keep one of them.",
        ),
        (
            with("burst_bytes = 24\n"),
            "Memory \"ram\" has burst_bytes = 24: it must be a power of two, 4 or more.",
        ),
        (
            MINIMAL.replace("0x10000", "0x10002"),
            "The base and size of memory \"ram\" must be multiples of 4, and the size not 0.",
        ),
        (
            MINIMAL.replace("base = 0", "base = 0xFFFF_8000"),
            "memory \"ram\" (base 0xffff8000, size 0x10000) reaches beyond 4 GiB: make it smaller.",
        ),
        (
            with("[[memory]]\nname = \"ram\"\nbase = 0x20000\nsize = 16\n"),
            "Two memories are called \"ram\": rename one.",
        ),
        (
            with("rules = [\"guess\"]\n"),
            "A rule \"guess\" is named, which does not exist; there are: none.",
        ),
        (
            with("[[device]]\nname = \"d\"\nkind = \"toaster\"\n"),
            "Device \"d\": no device of kind `toaster`; the kinds are",
        ),
        (
            with(
                "[[device]]\nname = \"t\"\nkind = \"measurement_timer\"\n\
                 maps = [{ base = 0x20000, size = 8, bus = \"fast\" }]\n",
            ),
            "Device \"t\" is on bus \"fast\", which does not exist; there are: none.",
        ),
        (
            with("[[connect]]\nfrom = \"a.b\"\nto = \"core.irq\"\n"),
            "A [[connect]] comes from \"a.b\", which does not exist; there are: none.",
        ),
        (
            with(
                "[[device]]\nname = \"vic\"\nkind = \"vic_pl190\"\n\
                 [[connect]]\nfrom = \"vic.irq\"\nto = \"core.nmi\"\n",
            ),
            "A [[connect]] leads to \"core.nmi\", which does not exist; there are: core.irq, core.fiq",
        ),
        (
            with(
                "[[device]]\nname = \"vic\"\nkind = \"vic_pl190\"\n\
                 [[connect]]\nfrom = \"vic.irq\"\nto = \"core.irq\"\n\
                 [[connect]]\nfrom = \"vic.fiq\"\nto = \"core.irq\"\n",
            ),
            "Two [[connect]] entries lead to \"core.irq\": an input has one source, so remove one.",
        ),
        (
            with(
                "[[remap]]\nname = \"v\"\nbase = 0\nsize = 64\n\
                 select = [{ level = 1, memory = \"rom\" }]\n",
            ),
            "Remap \"v\" shows memory \"rom\", which does not exist; there are: ram.",
        ),
    ];
    for (text, sentence) in cases {
        let message = error(&text);
        assert!(message.starts_with(sentence), "{message}");
    }
}

#[test]
fn a_file_adds_to_the_one_it_extends() {
    let own = "extends = \"minimal\"\nname = \"more\"\n[[memory]]\nname = \"lab\"\nbase = 0x8000_0000\nsize = 64\n";
    let mut board = Board::new(own, "more.toml", &|base| {
        assert_eq!(base, "minimal");
        Ok(MINIMAL.to_owned())
    })
    .unwrap();
    assert_eq!(board.name(), "more");
    assert!(board.read_memory(0, 4).is_ok() && board.read_memory(0x8000_0000, 64).is_ok());
    assert_eq!(
        error(own),
        "test.toml extends \"minimal\": open it as a file, so that the other one can be found."
    );
}

#[test]
fn memories_larger_than_a_host_can_lend_are_refused() {
    let two = "[[memory]]\nname = \"big\"\nbase = 0x80000000\nsize = 0x7FFFFFFC\n";
    assert_eq!(
        error(&with(two)),
        "The memories of the board hold 2147549180 bytes together: make them smaller, at most \
         1073741824 can be simulated."
    );
}

#[test]
fn a_clock_that_stands_still_is_refused() {
    let message = error(&with("[clock]\noscillator_hz = 0\n"));
    assert_eq!(message, "The board's oscillator_hz is 0: write its frequency in Hz.");
}

#[test]
fn parameters_of_the_core_are_read_where_older_files_have_them() {
    let described = |core: &str| {
        let text = MINIMAL.replace("kind = \"arm7tdmi\"", &format!("kind = \"arm7tdmi\"\n{core}"));
        let board = Board::from_text(&text, "test.toml").unwrap();
        board.description().core.as_ref().unwrap().parameters.clone()
    };
    assert_eq!(
        described("variant = \"ARM7TDMI\"\nmerged_is = \"sequential\""),
        described("parameters = { variant = \"ARM7TDMI\", merged_is = \"sequential\" }")
    );
    let unknown = MINIMAL.replace("\"arm7tdmi\"", "\"arm7tdmi\"\nmerged = true");
    assert_eq!(
        error(&unknown),
        "[core] has no key `merged` (docs/reference/boards.md lists every key)."
    );
    let wrong = MINIMAL.replace("\"arm7tdmi\"", "\"arm7tdmi\"\nmerged_is = \"often\"");
    assert_eq!(
        error(&wrong),
        "[core] of kind \"arm7tdmi\": unknown variant `often`, expected `sequential` or `nonsequential`."
    );
}

#[test]
fn a_timing_or_bus_that_is_not_there_is_named() {
    let error = |more: &str| error(&with(more));
    assert_eq!(
        error("timing = { kind = \"mam\" }\n"),
        "Memory \"ram\": no timing of kind `mam`; the kinds are cartridge_console, ebi_at91, mam_lpc2000."
    );
    let unknown = error("timing = { kind = \"mam_lpc2000\", speed = 1 }\n");
    assert!(
        unknown.starts_with("Memory \"ram\": parameters of `mam_lpc2000`: unknown field `speed`")
    );
    let rule = error("timing = { kind = \"mam_lpc2000\", prefetch_rule = \"guess\" }\n");
    assert_eq!(rule, "A rule \"guess\" is named, which does not exist; there are: none.");
    assert_eq!(
        error("bus = \"side\"\n"),
        "Memory \"ram\" is on bus \"side\", which does not exist; there are: none."
    );
    assert_eq!(
        error("timing = { kind = \"mam_lpc2000\" }\npauses_break = true\n"),
        "Memory \"ram\" has both a timing and wait states: keep one of them."
    );
}
