//! What serde itself knows of an input type: its names in declaration order, aliases, and the variants of its enums.
//!
//! schemars sorts properties and merges fields of one name, so the order, duplicates and aliases are asked of the type's own
//! `Deserialize`: a deserializer that holds nothing notes what it is asked for and gives up.

use std::{cell::RefCell, fmt};

use serde::{
    Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, VariantAccess, Visitor,
        value::{MapDeserializer, SeqDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};

/// What an input type is to serde.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A struct with these names, aliases included, in declaration order.
    Struct(&'static [&'static str]),
    /// A unit: no inputs.
    Unit,
    /// Anything else: an enum, a map, a struct with flattened parts.
    Other,
}

/// Asks the type for its shape.
pub(crate) fn shape<T: DeserializeOwned>() -> Shape {
    let notes = RefCell::new(Notes::default());
    let unit = T::deserialize(Probe { notes: &notes, entries: &[] }).is_ok();
    let notes = notes.into_inner();
    match notes.fields {
        Some(fields) => Shape::Struct(fields),
        None if unit && notes.unit => Shape::Unit,
        None => Shape::Other,
    }
}

/// The variants of the unit-only enum that a field holds, aliases included, in declaration order.
pub(crate) fn variants<T: DeserializeOwned>(field: &str) -> Option<&'static [&'static str]> {
    let notes = RefCell::new(Notes::default());
    // The outcome does not matter: the notes were taken on the way.
    drop(T::deserialize(Probe { notes: &notes, entries: &[field] }));
    notes.into_inner().variants
}

/// Whether two names are the same field: serde refuses the second before it reads its value.
pub(crate) fn same_field<T: DeserializeOwned>(name: &str, alias: &str) -> bool {
    let notes = RefCell::new(Notes::default());
    drop(T::deserialize(Probe { notes: &notes, entries: &[name, alias] }));
    let notes = notes.into_inner();
    notes.keys == 2 && notes.started == 1 && notes.finished == 1
}

#[derive(Debug, Default)]
struct Notes {
    fields: Option<&'static [&'static str]>,
    unit: bool,
    variants: Option<&'static [&'static str]>,
    keys: usize,
    started: usize,
    finished: usize,
}

/// The error of a probe; nobody reads it.
#[derive(Debug)]
struct GaveUp;

impl fmt::Display for GaveUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the probe holds nothing")
    }
}

impl std::error::Error for GaveUp {}

impl serde::de::Error for GaveUp {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

#[derive(Clone, Copy)]
struct Probe<'a> {
    notes: &'a RefCell<Notes>,
    entries: &'a [&'a str],
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = GaveUp;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, GaveUp> {
        Err(GaveUp)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, GaveUp> {
        self.notes.borrow_mut().fields = Some(fields);
        visitor.visit_map(Entries { notes: self.notes, left: self.entries.iter() })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, GaveUp> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GaveUp> {
        self.notes.borrow_mut().unit = true;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, GaveUp> {
        self.deserialize_unit(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Entries<'a> {
    notes: &'a RefCell<Notes>,
    left: std::slice::Iter<'a, &'a str>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = GaveUp;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, GaveUp> {
        let Some(name) = self.left.next() else { return Err(GaveUp) };
        self.notes.borrow_mut().keys += 1;
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, GaveUp> {
        self.notes.borrow_mut().started += 1;
        let value = seed.deserialize(Stand { notes: self.notes })?;
        self.notes.borrow_mut().finished += 1;
        Ok(value)
    }
}

/// A stand-in for a value: whatever is asked for, it has the simplest one.
#[derive(Clone, Copy)]
struct Stand<'a> {
    notes: &'a RefCell<Notes>,
}

macro_rules! stand_in {
    ($($method:ident => $visit:ident($value:expr),)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GaveUp> {
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for Stand<'_> {
    type Error = GaveUp;

    stand_in! {
        deserialize_bool => visit_bool(false),
        deserialize_i8 => visit_i8(1),
        deserialize_i16 => visit_i16(1),
        deserialize_i32 => visit_i32(1),
        deserialize_i64 => visit_i64(1),
        deserialize_i128 => visit_i128(1),
        deserialize_u8 => visit_u8(1),
        deserialize_u16 => visit_u16(1),
        deserialize_u32 => visit_u32(1),
        deserialize_u64 => visit_u64(1),
        deserialize_u128 => visit_u128(1),
        deserialize_f32 => visit_f32(1.0),
        deserialize_f64 => visit_f64(1.0),
        deserialize_char => visit_char('a'),
        deserialize_str => visit_str("a"),
        deserialize_string => visit_str("a"),
        deserialize_any => visit_str("a"),
        deserialize_identifier => visit_str("a"),
        deserialize_seq => visit_seq(SeqDeserializer::<_, GaveUp>::new(std::iter::empty::<u8>())),
        deserialize_map => visit_map(MapDeserializer::<_, GaveUp>::new(std::iter::empty::<(u8, u8)>())),
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GaveUp> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, GaveUp> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, GaveUp> {
        self.notes.borrow_mut().variants = Some(variants);
        visitor.visit_enum(FirstOf(variants))
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct tuple tuple_struct struct ignored_any
    }
}

struct FirstOf(&'static [&'static str]);

impl<'de> EnumAccess<'de> for FirstOf {
    type Error = GaveUp;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), GaveUp> {
        let first = self.0.first().ok_or(GaveUp)?;
        Ok((seed.deserialize(StrDeserializer::<GaveUp>::new(first))?, self))
    }
}

impl<'de> VariantAccess<'de> for FirstOf {
    type Error = GaveUp;

    fn unit_variant(self) -> Result<(), GaveUp> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, GaveUp> {
        Err(GaveUp)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, GaveUp> {
        Err(GaveUp)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, GaveUp> {
        Err(GaveUp)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its Deserialize is asked")]
    struct Sample {
        zeta_one: String,
        #[serde(alias = "old-alpha", alias = "zz-alpha")]
        alpha: Option<u32>,
        level: Option<Level>,
        #[serde(default, alias = "beta")]
        last: Vec<String>,
        #[serde(skip)]
        skipped: bool,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Level {
        High,
        Low,
    }

    #[test]
    fn asks_serde_for_names_and_variants() {
        assert_eq!(
            shape::<Sample>(),
            Shape::Struct(&["zeta-one", "alpha", "old-alpha", "zz-alpha", "level", "beta", "last"])
        );
        assert_eq!(shape::<()>(), Shape::Unit);
        assert_eq!(shape::<Level>(), Shape::Other);
        assert_eq!(shape::<std::collections::BTreeMap<String, String>>(), Shape::Other);
        assert_eq!(variants::<Sample>("level"), Some(&["high", "low"][..]));
        assert_eq!(variants::<Sample>("zeta-one"), None);
    }

    #[test]
    fn tells_aliases_from_fields() {
        assert!(same_field::<Sample>("alpha", "old-alpha"));
        assert!(same_field::<Sample>("alpha", "zz-alpha"));
        assert!(same_field::<Sample>("last", "beta"));
        assert!(!same_field::<Sample>("level", "beta"));
        assert!(!same_field::<Sample>("zeta-one", "alpha"));
        assert!(!same_field::<Sample>("zeta-one", "unknown"));
    }
}
