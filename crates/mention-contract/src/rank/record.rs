//! What is ranked.

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// A record that people look for.
///
/// Only the id and the title have to be there.
///
/// ```
/// use mention_contract::rank::{Record, Updated};
///
/// struct Ticket {
///     key: String,
///     title: String,
///     updated_at: String,
/// }
///
/// impl Record for Ticket {
///     type Id = String;
///     fn id(&self) -> String {
///         self.key.clone()
///     }
///     fn handles(&self) -> impl Iterator<Item = &str> {
///         [self.key.as_str()].into_iter()
///     }
///     fn title(&self) -> &str {
///         &self.title
///     }
///     fn updated_at(&self) -> Option<Updated> {
///         Updated::from_rfc3339(&self.updated_at)
///     }
/// }
/// # let _ = Ticket { key: "KAN-1".into(), title: "t".into(), updated_at: String::new() };
/// ```
pub trait Record {
    /// What tells records apart; the last tie-break is its order.
    type Id: Ord + Hash + Clone;

    /// The record's canonical id.
    fn id(&self) -> Self::Id;

    /// The short names that people type in full (`KAN-12`, `chief`); none by default. A leading `@` or `#` and
    /// white space at the ends don't count.
    fn handles(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    /// The title.
    fn title(&self) -> &str;

    /// Further text (a description, a message); none by default.
    #[allow(clippy::unnecessary_literal_bound, reason = "implementations return text of their own")]
    fn body(&self) -> &str {
        ""
    }

    /// When the record last changed; unknown by default.
    fn updated_at(&self) -> Option<Updated> {
        None
    }

    /// Whether the record may not be found (deleted, archived); `false` by default.
    fn hidden(&self) -> bool {
        false
    }
}

impl<R: Record> Record for &R {
    type Id = R::Id;

    fn id(&self) -> Self::Id {
        (**self).id()
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        (**self).handles()
    }

    fn title(&self) -> &str {
        (**self).title()
    }

    fn body(&self) -> &str {
        (**self).body()
    }

    fn updated_at(&self) -> Option<Updated> {
        (**self).updated_at()
    }

    fn hidden(&self) -> bool {
        (**self).hidden()
    }
}

/// A moment, to the microsecond: microseconds since 1970-01-01T00:00:00Z.
///
/// It serves for order only; no clock is read and no calendar is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Updated(i64);

impl Updated {
    /// From microseconds since 1970-01-01T00:00:00Z.
    pub const fn from_unix_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From milliseconds since 1970-01-01T00:00:00Z; what does not fit becomes the first or last moment.
    pub const fn from_unix_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1000))
    }

    /// From seconds since 1970-01-01T00:00:00Z; what does not fit becomes the first or last moment.
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000_000))
    }

    /// Reads an RFC 3339 date and time (`2026-10-06T20:17:20.749Z`); `None` for anything else, so that a broken
    /// date counts as no date. Digits beyond the microsecond are cut.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let (time, rest) = rest.split_at_checked(9)?;
        let (year, month, day) = (number(date, 0, 4)?, number(date, 5, 7)?, number(date, 8, 10)?);
        let (hour, minute, second) = (number(time, 1, 3)?, number(time, 4, 6)?, number(time, 7, 9)?);
        let marks =
            [byte(date, 4)?, byte(date, 7)?, byte(time, 0)?.to_ascii_uppercase(), byte(time, 3)?, byte(time, 6)?];
        // A leap second is second 60.
        let fits = (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour <= 23
            && minute <= 59
            && second <= 60;
        if marks != *b"--T::" || !fits {
            return None;
        }
        let (micros, zone) = fraction(rest)?;
        let seconds = ((days_from_epoch(year, month, day) * 24 + hour) * 60 + minute - offset(zone)?) * 60 + second;
        Some(Self(seconds * 1_000_000 + micros))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn unix_micros(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Updated {
    /// The number of microseconds since 1970-01-01T00:00:00Z.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn byte(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

fn number(text: &str, from: usize, to: usize) -> Option<i64> {
    let digits = text.get(from..to)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The fraction of a second in microseconds, and what follows it.
fn fraction(rest: &str) -> Option<(i64, &str)> {
    let Some(digits) = rest.strip_prefix('.') else {
        return Some((0, rest));
    };
    let zone = digits.trim_start_matches(|char: char| char.is_ascii_digit());
    let digits = digits.strip_suffix(zone)?;
    if digits.is_empty() {
        return None;
    }
    let micros =
        digits.bytes().chain(std::iter::repeat(b'0')).take(6).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    Some((micros, zone))
}

/// Minutes east of Greenwich.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (hour, minute) = (number(zone, 1, 3)?, number(zone, 4, 6)?);
    if zone.len() != 6 || byte(zone, 3)? != b':' || hour > 23 || minute > 59 {
        return None;
    }
    match byte(zone, 0)? {
        b'+' => Some(hour * 60 + minute),
        b'-' => Some(-(hour * 60 + minute)),
        _ => None,
    }
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let past = year - 1;
    let years = past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    years + months + day - 1 - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_3339_reads_as_a_moment() {
        for (text, micros) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31t23:59:59.5z", -500_000),
            // The four examples of RFC 3339, section 5.8.
            ("1985-04-12T23:20:50.52Z", 482_196_050_520_000),
            ("1996-12-19T16:39:57-08:00", 851_042_397_000_000),
            ("1990-12-31T23:59:60Z", 662_688_000_000_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000),
            ("2026-10-06T20:17:20.749Z", 1_791_317_840_749_000),
            ("2024-02-29T00:00:00.1234567Z", 1_709_164_800_123_456),
        ] {
            assert_eq!(Updated::from_rfc3339(text), Some(Updated(micros)), "{text}");
        }
    }

    #[test]
    fn a_broken_date_is_none() {
        for text in [
            "",
            "yesterday",
            "2026",
            "2026-10-06",
            "2026-10-06T20:17:20",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-10-06 20:17:20Z",
            "2026-10-06T24:00:00Z",
            "2026-10-06T20:60:20Z",
            "2026-10-06T20:17:61Z",
            "2026-10-06T20:17:20.Z",
            "2026-10-06T20:17:20+1:00",
            "2026-10-06T20:17:20+24:00",
            "2026-10-06T20:17:20Zz",
            "+026-10-06T20:17:20Z",
            "2026-10-06T20:17:20é",
            "２026-10-06T20:17:20Z",
        ] {
            assert_eq!(Updated::from_rfc3339(text), None, "{text}");
        }
    }
}
