//! desk
fn main() {}
