//! Compiles the chains that every tool times.

fn main() {
    for file in ["../chains.c", "../chains.h"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cc::Build::new().file("../chains.c").opt_level(2).compile("chains");
}
