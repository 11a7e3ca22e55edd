import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { FlushQueue } from '../../src/http2/flush-queue.ts';
import { Http2Session } from '../../src/http2/session.ts';
import type { Http2Stream } from '../../src/http2/stream.ts';
import { WriteBuffers } from '../../src/http2/write-buffers.ts';
import { frameBytes as frame, PREFACE, uint32 } from '../connection/frames.ts';
import { collect } from '../support/retained.ts';

const STREAMS = 300_000;
/** The first streams, until V8 has optimized the code: it discards and compiles hundreds of kilobytes. */
const WARM_UP = 200_000;
const BATCH = 100;
/** Heap and buffers that the other 100,000 streams may leave: less than two bytes each. */
const MOST_GROWTH = 150_000;
const ANSWER = Buffer.alloc(4096, 'x');
/** GET https /, all in the static table. */
const GET = Buffer.from([0x82, 0x87, 0x84]);
/** POST https /. */
const POST = Buffer.from([0x83, 0x87, 0x84]);
const END = 1;
const END_HEADERS = 4;

function retained(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The frames of one stream: complete, reset by the client, or answered before its body has arrived. */
function framesOf(stream: number): Buffer[] {
  switch ((stream >> 1) % 10) {
    case 0:
      return [
        frame(1, END_HEADERS | END, stream, GET),
        frame(3, 0, stream, uint32(8)),
        frame(6, 0, 0, Buffer.alloc(8)),
      ];
    case 1:
      return [frame(1, END_HEADERS, stream, POST), frame(0, 0, stream, ANSWER)];
    case 2:
      return [frame(1, END_HEADERS, stream, POST), frame(0, END, stream, ANSWER)];
    default:
      return [frame(1, END_HEADERS | END, stream, GET)];
  }
}

test(`${STREAMS} streams on one connection leave nothing behind`, async () => {
  let written = 0;
  const wire = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.length;
      done();
    },
  });
  let now = 0;
  let requests = 0;
  let failure: Error | undefined;
  const respond = (stream: Http2Stream): void => stream.respond(200, ['content-length', '4096'], ANSWER);
  const environment = {
    limits: {
      headerBytes: 65_536,
      headerCount: 100,
      streams: 250,
      headerTimeout: 1e9,
      settingsTimeout: 1e9,
      goawayTimeout: 1e9,
      lingerTimeout: 1,
      lingerBytes: 0,
    },
    resources: { flushes: new FlushQueue(), buffers: new WriteBuffers() },
    now: () => now,
  };
  const session = new Http2Session(wire, environment, {
    headerAccount: { reserve: () => true },
    bodyAccount: { reserve: () => true },
    onRequest: (stream) => {
      requests += 1;
      if (requests % 3 === 0) setImmediate(() => respond(stream));
      else respond(stream);
    },
    onMalformed: () => undefined,
    onSessionError: (error) => {
      failure = error;
    },
    onPong: () => undefined,
  });
  wire.push(Buffer.concat([Buffer.from(PREFACE), frame(4, 0, 0), frame(4, END, 0)]));

  let stream = 1;
  let before = 0;
  for (let count = 0; count < STREAMS && failure === undefined; count += BATCH) {
    if (count === WARM_UP) before = retained();
    const frames: Buffer[] = [frame(8, 0, 0, uint32(BATCH * ANSWER.length))];
    for (let index = 0; index < BATCH; index += 1, stream += 2) frames.push(...framesOf(stream));
    wire.push(Buffer.concat(frames));
    // The client gives up a request whose response was early.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const open = session.streams.values().filter(({ isClosed }) => isClosed);
    wire.push(Buffer.concat(open.map(({ id }) => frame(3, 0, id, uint32(8)))));
    now += 1000;
    do await new Promise((resolve) => setImmediate(resolve));
    while (session.streams.size > 0 && failure === undefined);
  }
  if (failure !== undefined) throw failure;
  expect(requests).toBe(STREAMS);
  expect(written).toBeGreaterThan(STREAMS * 0.8 * ANSWER.length);
  expect(retained() - before).toBeLessThan(MOST_GROWTH);
  session.destroy();
});
