//! Errors as sentences for people.

/// One sentence that names a cause and its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

/// A result whose error is a sentence.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Error(sentence.into())
    }
}

/// Names after each other, or that there is none.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() {
        return "none".into();
    }
    names.join(", ")
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(sentence: String) -> Self {
        Error(sentence)
    }
}
