//! RFC 3339 timestamps, checked without a calendar library: nothing here needs the instant, only whether it is one.

/// Whether the text is exactly one RFC 3339 `date-time`.
pub(crate) fn is_rfc3339(text: &str) -> bool {
    parse(text.as_bytes()).is_some()
}

fn parse(bytes: &[u8]) -> Option<()> {
    let (year, rest) = digits(bytes, 4)?;
    let (month, rest) = digits(byte(rest, b"-")?, 2)?;
    let (day, rest) = digits(byte(rest, b"-")?, 2)?;
    let (hour, rest) = digits(byte(rest, b"Tt")?, 2)?;
    let (minute, rest) = digits(byte(rest, b":")?, 2)?;
    let (second, mut rest) = digits(byte(rest, b":")?, 2)?;
    if let Some(fraction) = byte(rest, b".") {
        let length = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        if length == 0 {
            return None;
        }
        rest = fraction.get(length..)?;
    }
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    };
    // A second 60 is a leap second; which minutes had one is a matter of tables, not of form.
    if !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    if byte(rest, b"Zz").is_some_and(<[u8]>::is_empty) {
        return Some(());
    }
    let (hours, rest) = digits(byte(rest, b"+-")?, 2)?;
    let (minutes, rest) = digits(byte(rest, b":")?, 2)?;
    (hours <= 23 && minutes <= 59 && rest.is_empty()).then_some(())
}

fn byte<'a>(bytes: &'a [u8], one_of: &[u8]) -> Option<&'a [u8]> {
    let (first, rest) = bytes.split_first()?;
    one_of.contains(first).then_some(rest)
}

fn digits(bytes: &[u8], count: usize) -> Option<(u32, &[u8])> {
    let (head, rest) = bytes.split_at_checked(count)?;
    let mut number = 0;
    for digit in head {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u32::from(digit - b'0');
    }
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn the_examples_of_the_rfc_and_its_edges() {
        for good in [
            "1985-04-12T23:20:50.52Z",
            "1996-12-19T16:39:57-08:00",
            "1990-12-31T23:59:60Z",
            "1990-12-31T15:59:60-08:00",
            "1937-01-01T12:00:27.87+00:20",
            "2026-10-06T20:17:20.749Z",
            "2024-02-29t00:00:00z",
            "2000-02-29T00:00:00Z",
        ] {
            assert!(is_rfc3339(good), "{good}");
        }
        for bad in [
            "",
            "2026-10-06",
            "2026-10-06 20:17:20Z",
            "2026-10-06T20:17:20",
            "2026-10-06T20:17Z",
            "2026-10-06T20:17:20.Z",
            "2026-13-06T20:17:20Z",
            "2026-00-06T20:17:20Z",
            "2026-04-31T20:17:20Z",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-10-06T24:00:00Z",
            "2026-10-06T20:60:20Z",
            "2026-10-06T20:17:61Z",
            "2026-10-06T20:17:20+24:00",
            "2026-10-06T20:17:20+0100",
            "2026-10-06T20:17:20Z ",
            " 2026-10-06T20:17:20Z",
            "yesterday",
            "1759781840",
            "２０２６-10-06T20:17:20Z",
        ] {
            assert!(!is_rfc3339(bad), "{bad}");
        }
    }
}
