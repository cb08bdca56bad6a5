//! The chains of `chains.h`, as Rust sees them.

macro_rules! chains {
    ($($name:ident)*) => {
        extern "C" { $(fn $name();)* }

        /// Each chain by name.
        pub const CHAINS: &[(&str, unsafe extern "C" fn())] = &[$((stringify!($name), $name)),*];
    };
}

chains! {
    chain_36 chain_50 chain_100 chain_150 chain_200 chain_250 chain_300
}
