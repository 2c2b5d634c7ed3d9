// A conformance adapter in plain JavaScript: one JSON object a line in, one a line out.
//
// It knows four operations and answers "unsupported" to the rest. The rules are in token.mjs and resource.mjs; nothing
// here is shared with the Rust crates.

import { createInterface } from 'node:readline';
import { formatToken, scanTokens } from './token.mjs';
import { formatResource, parseResource } from './resource.mjs';
import { Fault } from './fault.mjs';

const operations = {
  'token.scan': ({ text, reserved }) => ({ tokens: scanTokens(text, reserved) }),
  'token.format': ({ name, id }) => ({ token: formatToken(name, id) }),
  'resource.parse': ({ uri, kinds }) => parseResource(uri, kinds),
  'resource.format': ({ kind, id, subTarget, kinds }) => ({ uri: formatResource(kind, id, subTarget, kinds) }),
};

function answer({ op, input }) {
  const operation = operations[op];
  if (!operation) return { unsupported: true };
  try {
    return { ok: operation(input) };
  } catch (error) {
    if (error instanceof Fault) return { error: error.code, ...(error.offset === undefined ? {} : { offset: error.offset }) };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
