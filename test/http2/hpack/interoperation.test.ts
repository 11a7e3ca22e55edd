import http2 from 'node:http2';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HpackEncoder } from '../../../src/http2/hpack/encoder.ts';
import { newDecoder } from './support.ts';

/*
 * Against nghttp2, which is in Node: its request headers are decoded, and it decodes our response headers. One
 * client session on a wire without a server: the test answers each request.
 */
const PREFACE = 24;
const HEADERS = 1;
const SETTINGS = 4;
const CONTINUATION = 9;
const END_STREAM = 1;
const END_HEADERS = 4;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, 9);
  return bytes;
}

/** Reads the frames that a client writes; calls back with each complete header block. */
function frameReader(onBlock: (stream: number, block: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let skipped = 0;
  let block = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    if (skipped < PREFACE && rest.length >= PREFACE) {
      skipped = PREFACE;
      rest = rest.subarray(PREFACE);
    }
    while (skipped === PREFACE && rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3);
      const type = rest[3]!;
      if (type === HEADERS || type === CONTINUATION) {
        // A request of this client has no padding; its priority is five bytes.
        const start = 9 + ((rest[4]! & 0x20) !== 0 ? 5 : 0);
        block = Buffer.concat([block, rest.subarray(start, end)]);
        if ((rest[4]! & END_HEADERS) !== 0) {
          const complete = block;
          block = Buffer.alloc(0);
          onBlock(rest.readUInt32BE(5), complete);
        }
      }
      rest = rest.subarray(end);
    }
  };
}

type Fields = readonly (readonly [string, string])[];
interface Pair {
  readonly request: Fields;
  readonly status: number;
  readonly response: Fields;
}

/** Sends requests one after the other; returns what each side decoded, without pseudo-headers. */
async function exchange(pairs: readonly Pair[]): Promise<{ requests: string[][]; responses: string[][] }> {
  const decode = newDecoder();
  const encoder = new HpackEncoder();
  const requests: string[][] = [];
  const responses: string[][] = [];
  let answer = 0;
  const read = frameReader((stream, block) => {
    requests.push(decode(block));
    const { status, response } = pairs[answer++]!;
    wire.push(frame(HEADERS, END_STREAM | END_HEADERS, stream, encoder.encode(status, response.flat())));
  });
  const wire = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      read(chunk);
      done();
    },
  });
  const session = http2.connect('http://localhost', { createConnection: () => wire });
  session.on('error', () => undefined);
  wire.push(frame(SETTINGS, 0, 0, Buffer.alloc(0)));
  for (const { request } of pairs) {
    const headers = Object.assign(Object.create(null), { ':path': '/' }, Object.fromEntries(request));
    const stream = session.request(headers, { endStream: true });
    stream.resume();
    responses.push(
      await new Promise((resolve, reject) => {
        stream.on('error', reject);
        stream.on('response', (...given: unknown[]) => resolve(given[2] as string[]));
      }),
    );
  }
  session.destroy();
  return { requests, responses };
}

const byte = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0x21, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0xff }) },
);
const value = fc.oneof(
  fc.string({ unit: byte.map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 80 }),
  fc.constantFrom('one', 'two', 'x'.repeat(2000)),
);
const name = fc.oneof(fc.constantFrom('x-one', 'x-two', 'x-three'), fc.stringMatching(/^x-[a-z0-9-]{1,30}$/));
const fields = fc.uniqueArray(fc.tuple(name, value), { maxLength: 10, selector: ([key]) => key });
const pair = fc.record({ request: fields, status: fc.integer({ min: 200, max: 599 }), response: fields });

test('decodes what nghttp2 encodes, and nghttp2 decodes what we encode', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 20 }), async (pairs) => {
      const { requests, responses } = await exchange(pairs);
      pairs.forEach(({ request, status, response }, index) => {
        expect(requests[index]!.slice(-2 * request.length || requests[index]!.length)).toEqual(
          request.flat(),
        );
        expect(responses[index]).toEqual([':status', String(status), ...response.flat()]);
      });
    }),
    { numRuns: 40 },
  );
});
