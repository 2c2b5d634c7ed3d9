//! Numbers that keep their value: comparison and conversion without a detour through floating point.

use std::cmp::Ordering;

use serde_json::Number;

/// A JSON number in the form in which it is exact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exact {
    Integer(i128),
    Float(f64),
}

/// Two to the power of 127: the first float that no `i128` holds.
const INTEGER_END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

impl Exact {
    /// The exact value; a whole float becomes an integer.
    pub(crate) fn of(number: &Number) -> Option<Self> {
        if let Some(value) = number.as_i64() {
            Some(Self::Integer(i128::from(value)))
        } else if let Some(value) = number.as_u64() {
            Some(Self::Integer(i128::from(value)))
        } else {
            number.as_f64().map(Self::of_float)
        }
    }

    pub(crate) fn of_float(value: f64) -> Self {
        whole(value).map_or(Self::Float(value), Self::Integer)
    }

    #[expect(clippy::cast_precision_loss, reason = "a float that is not whole is below 2^53, where the cast is exact")]
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Integer(left), Self::Float(right)) => (left as f64).partial_cmp(&right),
            (Self::Float(left), Self::Integer(right)) => left.partial_cmp(&(right as f64)),
        }
    }
}

/// Whether a JSON number is whole, of whatever size.
pub(crate) fn is_whole(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|value| value.fract() == 0.0)
}

/// The integer that a float is, when it is one.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked before")]
pub(crate) fn whole(value: f64) -> Option<i128> {
    (value.is_finite() && value.fract() == 0.0 && value.abs() < INTEGER_END).then_some(value as i128)
}

/// The JSON number of an integer; `None` outside the range that JSON numbers keep exactly here (`i64::MIN` to `u64::MAX`).
pub(crate) fn from_integer(value: i128) -> Option<Number> {
    u64::try_from(value).map(Number::from).or_else(|_| i64::try_from(value).map(Number::from)).ok()
}

/// Compares two JSON numbers by value.
pub(crate) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (left.as_i64(), right.as_i64()) {
        return Some(left.cmp(&right));
    }
    Exact::of(left)?.compare(Exact::of(right)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn compares_by_value_beyond_two_to_the_53() {
        let table = [
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("18446744073709551615", "-1", Ordering::Greater),
            ("1.0", "1", Ordering::Equal),
            ("0.5", "1", Ordering::Less),
            ("-0.5", "0", Ordering::Less),
            ("1e300", "18446744073709551615", Ordering::Greater),
            ("-1e300", "-9223372036854775808", Ordering::Less),
            ("1e300", "1e301", Ordering::Less),
        ];
        for (left, right, expected) in table {
            assert_eq!(compare(&number(left), &number(right)), Some(expected), "{left} {right}");
            assert_eq!(compare(&number(right), &number(left)), Some(expected.reverse()), "{right} {left}");
        }
    }

    #[test]
    fn integers_keep_their_value_at_both_ends() {
        assert_eq!(from_integer(i128::from(u64::MAX)).unwrap().to_string(), "18446744073709551615");
        assert_eq!(from_integer(i128::from(i64::MIN)).unwrap().to_string(), "-9223372036854775808");
        assert!(from_integer(i128::from(u64::MAX) + 1).is_none());
        assert!(from_integer(i128::from(i64::MIN) - 1).is_none());
    }
}
