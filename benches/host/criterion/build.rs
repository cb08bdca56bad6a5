//! Compiles the chains that every tool times.

fn main() {
    println!("cargo:rerun-if-changed=../chains.c");
    cc::Build::new().file("../chains.c").opt_level(2).compile("chains");
}
