// Mention tokens: @name(id="…").

import { Fault, bytes, characters, isBlank } from './fault.mjs';

const ID_CHARACTERS = 512;
const RESERVED = ['fn', 'file', 'skill'];
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const OPENER = /@([a-z][a-z0-9-]{0,39})\(id="/y;
// A JSON string from behind its opening quote, and the end of the token. Bounded: two escapes make one character at most.
const STRICT = /((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1024})"\)/y;
// The closing quote left out: no quote, backslash, parenthesis or control character in the id.
const TOLERATED = /([^"\\)\u0000-\u001f\u007f-\u009f]{1,1024})\)/y;
// Scripts that are written without spaces: their letters are a boundary.
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const RUN_END = /[\p{White_Space}<>"`]|(?![\x00-\x7f])\p{P}/u;

function isWordCharacter(character) {
  return /[_\p{L}\p{Nd}]/u.test(character) && !UNSPACED.test(character);
}

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// The token that starts at this `@`, or nothing.
function tokenAt(text, at, reserved) {
  const opener = match(OPENER, text, at);
  if (!opener || reserved.includes(opener[1])) return undefined;
  const from = at + opener[0].length;
  const strict = match(STRICT, text, from);
  const found = strict ?? match(TOLERATED, text, from);
  if (!found) return undefined;
  const id = strict ? JSON.parse(`"${strict[1]}"`) : found[1];
  // JSON.parse lets lone surrogates through; they are no text.
  if (/\p{Cs}/u.test(id) || isBlank(id) || characters(id) > ID_CHARACTERS) return undefined;
  return { name: opener[1], id, end: from + found[0].length };
}

// All tokens of a text, in one pass.
export function scanTokens(text, reserved = RESERVED) {
  const tokens = [];
  let inAddress = false; // `letters://` has opened in this run
  let blocked = false; // the character before, marks and joiners left out, belongs to a word
  let before = '';
  let offset = 0; // of `at`, in bytes
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at));
    if (character === '@' && !blocked && !(inAddress && !/[)\],;]/.test(before))) {
      const token = tokenAt(text, at, reserved);
      if (token) {
        const length = bytes(text.slice(at, token.end));
        tokens.push({ name: token.name, id: token.id, bytes: [offset, offset + length], utf16: [at, token.end] });
        offset += length;
        at = token.end;
        [before, blocked, inAddress] = [')', false, false];
        continue;
      }
    }
    if (RUN_END.test(character)) inAddress = false;
    else if (character === ':' && /[A-Za-z]/.test(before) && text.startsWith('://', at)) inAddress = true;
    if (!/[\p{M}\u200d]/u.test(character)) blocked = isWordCharacter(character);
    before = character;
    offset += bytes(character);
    at += character.length;
  }
  return tokens;
}

const SHORT = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character) {
  let written = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    written += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return written;
}

export function formatToken(name, id) {
  if (!NAME.test(name)) throw new Fault('invalid_name');
  if (RESERVED.includes(name)) throw new Fault('reserved_name');
  if (id === '') throw new Fault('missing_id');
  if (isBlank(id)) throw new Fault('blank_id');
  if (characters(id) > ID_CHARACTERS) throw new Fault('id_too_long');
  const all = [...id];
  const isWordy = (near) => near !== undefined && /[\p{L}\p{N}]/u.test(near);
  const isVisible = (near) => near !== undefined && !/[\p{White_Space}\p{Cc}\p{Cf}]/u.test(near);
  const written = all.map((character, index) => {
    const [left, right] = [all[index - 1], all[index + 1]];
    if (SHORT[character]) return SHORT[character];
    if ('`*~|[]<>&'.includes(character)) return escaped(character);
    if (character === '_') return isWordy(left) && isWordy(right) ? character : escaped(character);
    if (character === ' ') return isVisible(left) && isVisible(right) ? character : escaped(character);
    return /[\p{White_Space}\p{Cc}\p{Cf}]/u.test(character) ? escaped(character) : character;
  });
  return `@${name}(id="${written.join('')}")`;
}
