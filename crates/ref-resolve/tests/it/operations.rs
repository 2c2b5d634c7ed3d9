//! The operations of the fuzz target over random bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::ops;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_operations_keep_the_promises(bytes in vec(any::<u8>(), 0..400)) {
        ops::run(&bytes);
    }
}
