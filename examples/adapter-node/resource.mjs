// Resource URIs: kind://id#key=value, read against a table of kinds.

import { Fault, bytes, characters, isBlank } from './fault.mjs';

const ID_CHARACTERS = 512;
const URI_BYTES = 8192;

const STUDIO = {
  asset: {}, workflow: { node: 'id' }, timeline: { clip: 'id', t: 'seconds' }, storyboard: { shot: 'id' },
  sketch: { layer: 'id' }, script: { scene: 'index' }, app: { component: 'id' }, model3d: {}, collection: {}, thread: {},
};
const STUDIO_LEGACY = 'nodetool';

const TYPES = { id: /^[^]+$/, seconds: /^[0-9]+(\.[0-9]+)?$/, index: /^[0-9]+$/ };
// Raw white space, controls, bidi and zero-width characters: refused rather than stripped.
const HIDDEN = /[\p{White_Space}\p{Cc}\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

function table(kinds) {
  return kinds === undefined ? { kinds: STUDIO, legacy: STUDIO_LEGACY } : { kinds, legacy: undefined };
}

// Decodes escapes once. `from` is where the part starts in the text, for offsets in bytes.
function decode(text, from, to) {
  const octets = [];
  const starts = []; // where each octet stands in the text
  for (let at = from; at < to; ) {
    const here = bytes(text.slice(0, at));
    if (text[at] === '%') {
      const hex = text.slice(at + 1, Math.min(at + 3, to));
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new Fault('invalid_escape', here);
      octets.push(parseInt(hex, 16));
      starts.push(here);
      at += 3;
    } else {
      const character = String.fromCodePoint(text.codePointAt(at));
      for (const octet of Buffer.from(character)) {
        octets.push(octet);
        starts.push(here);
      }
      at += character.length;
    }
  }
  const buffer = Buffer.from(octets);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    // The first octet at which the text stops being UTF-8.
    let good = 0;
    for (let length = 1; length <= octets.length; length += 1) {
      try {
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, length));
        good = length;
      } catch {
        // Perhaps a character that is not whole yet.
      }
    }
    throw new Fault('invalid_utf8', starts[good]);
  }
}

// RFC 3986 unreserved characters and the colon stay; everything else is encoded.
function encode(text) {
  return [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet);
      return /[A-Za-z0-9\-._~:]/.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function checkId(id) {
  if (isBlank(id)) throw new Fault(id === '' ? 'missing_id' : 'blank_id');
  if (characters(id) > ID_CHARACTERS) throw new Fault('id_too_long');
}

function checkSub({ key, value }, keys) {
  if (key === '' || value === '') throw new Fault('invalid_fragment');
  if (Object.hasOwn(keys, key) && !TYPES[keys[key]].test(value)) throw new Fault('invalid_sub_target');
}

function write(kind, id, sub) {
  const uri = `${kind}://${encode(id)}${sub ? `#${encode(sub.key)}=${encode(sub.value)}` : ''}`;
  if (bytes(uri) > URI_BYTES) throw new Fault('too_long');
  return uri;
}

export function parseResource(text, own) {
  const { kinds, legacy } = table(own);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text);
  if (!scheme) throw new Fault('not_a_resource');
  if (bytes(text) > URI_BYTES) throw new Fault('too_long');
  let kind = scheme[1].toLowerCase();
  let from = scheme[0].length;
  if (kind === legacy) {
    const long = /^([A-Za-z][A-Za-z0-9+.-]*)\//.exec(text.slice(from));
    if (!long) throw new Fault('unknown_kind');
    kind = long[1].toLowerCase();
    from += long[0].length;
  }
  if (!Object.hasOwn(kinds, kind)) throw new Fault('unknown_kind');
  const hidden = HIDDEN.exec(text);
  if (hidden) throw new Fault('invalid_character', bytes(text.slice(0, hidden.index)));
  const hash = text.indexOf('#', from);
  const end = hash < 0 ? text.length : hash;
  const raw = text.slice(from, end);
  if (raw.includes('/')) throw new Fault('extra_path');
  if (raw.includes('?')) throw new Fault('query_not_allowed');
  const id = decode(text, from, end);
  checkId(id);
  let sub;
  if (hash >= 0) {
    const fragment = text.slice(hash + 1);
    const parts = fragment.split('=');
    if (parts.length !== 2 || /[&#]/.test(fragment)) throw new Fault('invalid_fragment');
    const equals = hash + 1 + parts[0].length;
    sub = { key: decode(text, hash + 1, equals), value: decode(text, equals + 1, text.length) };
    checkSub(sub, kinds[kind]);
  }
  const known = !sub || Object.hasOwn(kinds[kind], sub.key);
  return { kind, id, ...(sub ? { subTarget: sub } : {}), known, uri: write(kind, id, sub) };
}

export function formatResource(kind, id, sub, own) {
  const { kinds } = table(own);
  if (!Object.hasOwn(kinds, kind)) throw new Fault('unknown_kind');
  checkId(id);
  if (sub) checkSub(sub, kinds[kind]);
  return write(kind, id, sub);
}
