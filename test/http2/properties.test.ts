import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Flag, FrameType, frame, headerBlock, PREFACE, uint32 } from '../connection/raw-http2.ts';
import { bodyAccount, openSession, readAll, target } from './support.ts';

const stream = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 6 }).map((index) => 2 * index + 1) },
  { weight: 1, arbitrary: fc.nat({ max: 14 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 31 - 1 }) },
);
const flags = fc.oneof(fc.constantFrom(0, 1, 4, 5, 8, 0x0d, 0x20, 0x2d), fc.nat({ max: 255 }));
const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('latin1'));
const number = fc.oneof(
  fc.constantFrom(0, 1, 65_535, 2 ** 31 - 1, 2 ** 32 - 1),
  fc.nat({ max: 2 ** 32 - 1 }),
);
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((value) => Buffer.from(value).toString('latin1'));
const field = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      ':method',
      ':path',
      ':scheme',
      ':authority',
      'host',
      'cookie',
      'te',
      'content-length',
      'expect',
    ),
    text,
  ),
  fc.oneof(fc.constantFrom('GET', 'POST', '/', 'https', '3', '100-continue', 'trailers'), text),
);
const block = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('GET', 'POST', 'CONNECT').map((method) => headerBlock(target(method))),
  },
  fc.array(field, { maxLength: 6 }).map((fields) => headerBlock([...target('POST'), ...fields])),
  fc.array(field, { maxLength: 6 }).map((fields) => headerBlock(fields)),
  bytes,
);
const settings = fc
  .array(fc.tuple(fc.nat({ max: 8 }), number), { maxLength: 4 })
  .map((pairs) =>
    pairs.map(([id, value]) => `\0${String.fromCharCode(id)}${uint32(value).toString('latin1')}`).join(''),
  );

/** A frame that is often well-formed. */
const anyFrame = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(flags, stream, block)
      .map(([one, id, part]) => frame(FrameType.headers, one, id, part)),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(flags, stream, bytes).map(([one, id, part]) => frame(FrameType.data, one, id, part)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(stream, number)
      .map(([id, value]) => frame(FrameType.windowUpdate, 0, id, uint32(value))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(stream, number).map(([id, value]) => frame(FrameType.reset, 0, id, uint32(value))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(flags, settings)
      .map(([one, payload]) => frame(FrameType.settings, one & 1, 0, payload)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(flags, stream, block)
      .map(([one, id, part]) => frame(FrameType.continuation, one, id, part)),
  },
  { weight: 1, arbitrary: flags.map((one) => frame(FrameType.ping, one, 0, '\0\0\0\0\0\0\0\x02')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat({ max: 255 }), flags, stream, bytes)
      .map(([type, one, id, part]) => frame(type, one, id, part)),
  },
  { weight: 1, arbitrary: bytes },
);

/** What a handler does with its requests, and the server with its session. */
const action = fc.constantFrom(
  'none',
  'respond',
  'stream',
  'write',
  'parts',
  'end',
  'abort',
  'close',
  'read',
  'account',
  'refuse',
  'turn',
  'hold',
  'release',
);

/** An account with a bound. */
const account = (most: number) => ({
  held: 0,
  reserve(held: number): boolean {
    if (held > most) return false;
    this.held = held;
    return true;
  },
});

test('no sequence of frames and actions breaks the state of a session', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyFrame, action), { maxLength: 40 }),
      fc.integer({ min: 1, max: 200 }),
      async (steps, piece) => {
        const headers = account(5_000);
        const bodies = account(500);
        const { client, session, socket, requests } = openSession(undefined, {
          headerAccount: headers,
          bodyAccount: bodies,
        });
        const closed = new Map<number, number>();
        const accounts = new Map<number, ReturnType<typeof bodyAccount>>();
        const read = new Set<number>();
        client.send(PREFACE + frame(FrameType.settings, 0, 0));
        for (const [sent, what] of steps) {
          for (let at = 0; at < sent.length; at += piece) client.send(sent.slice(at, at + piece));
          for (let turn = what === 'turn' ? 4 : 1; turn > 0; turn--)
            await new Promise((resolve) => setImmediate(resolve));
          for (const request of requests) {
            request.listener ??= {
              onSent: () => undefined,
              onClosed: () => closed.set(request.id, (closed.get(request.id) ?? 0) + 1),
            };
          }
          const request = requests.at(-1);
          if (what === 'close') session.close();
          else if (what === 'hold') socket.isHeld = true;
          else if (what === 'release') socket.release();
          else if (request === undefined) continue;
          else if (what === 'respond' && !request.hasHead)
            request.respond(200, ['a', 'b'], Buffer.alloc(50_000));
          else if (what === 'stream' && !request.hasHead) request.start(200, []);
          else if (what === 'write' && request.hasHead) request.write(Buffer.alloc(20_000));
          else if (what === 'parts' && request.hasHead)
            request.writeParts([Buffer.alloc(3), Buffer.alloc(0), Buffer.alloc(17_000)]);
          else if (what === 'end' && request.hasHead) request.end();
          else if (what === 'abort') request.reset(2);
          else if (what === 'account' && !accounts.has(request.id) && !read.has(request.id)) {
            accounts.set(request.id, bodyAccount(100));
            request.body?.countIn(accounts.get(request.id)!);
          } else if (what === 'refuse') request.body?.refuse();
          else if (what === 'read' && !read.has(request.id)) {
            read.add(request.id);
            void readAll(request);
          }
        }
        const queued = [...session.streams.values()].reduce((sum, { queuedBytes }) => sum + queuedBytes, 0);
        expect(session.queuedBytes).toBe(queued);
        session.destroy();
        expect([session.streams.size, session.queuedBytes, headers.held, bodies.held]).toEqual([0, 0, 0, 0]);
        for (const [id, own] of accounts) if (!read.has(id)) expect(own.held).toBe(0);
        for (const [, times] of closed) expect(times).toBe(1);
        // Frames of streams come in an order that a client can follow.
        const ended = new Set<number>();
        for (const { type, flags: set, stream: id } of client.frames) {
          if (type !== FrameType.data && type !== FrameType.headers && type !== FrameType.reset) continue;
          if (type !== FrameType.reset) expect(ended.has(id)).toBe(false);
          if (type === FrameType.reset || (set & Flag.endStream) !== 0) ended.add(id);
        }
      },
    ),
    { numRuns: 500 },
  );
});
