// What is wrong with an input: a stable code and, where there is one, a byte offset.

export class Fault extends Error {
  constructor(code, offset) {
    super(code);
    this.code = code;
    this.offset = offset;
  }
}

// How many bytes of UTF-8 a text takes.
export function bytes(text) {
  return Buffer.byteLength(text, 'utf8');
}

// How many characters (Unicode scalar values) a text has.
export function characters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function isBlank(text) {
  return /^\p{White_Space}*$/u.test(text);
}
