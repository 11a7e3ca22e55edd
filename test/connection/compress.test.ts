import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GzipWriter, gzipBody } from '../../src/connection/compress.ts';
import { BodyAbortedError } from '../../src/connection/exchange.ts';
import { createInProcessExchange } from '../../src/connection/in-process.ts';

const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let index = 0; index < length; index++) bytes[index] = state = (state * 75 + 74) % 65_537;
  return bytes;
};

test('compresses bodies of all sizes concurrently', async () => {
  const bodies = [0, 1, 1000, 200_000, 3_000_000].flatMap((length) => [
    noise(length),
    Buffer.alloc(length, 'a'),
  ]);
  const compressed = await Promise.all(bodies.map((body) => gzipBody(body)));
  for (const [index, body] of bodies.entries())
    expect(gunzipSync(compressed[index]!).equals(body)).toBe(true);
});

test('compresses a stream with back-pressure', async () => {
  const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
  const writer = new GzipWriter(exchange.startStream(200, 'application/json'));
  const body = noise(4_000_000);
  const producing = (async () => {
    for (let offset = 0; offset < body.length; offset += 100_000) {
      if (!writer.write(body.subarray(offset, offset + 100_000))) await writer.drained();
      expect(writer.queuedBytes).toBeLessThan(1_000_000);
    }
    writer.end();
  })();
  const chunks = [];
  for await (const chunk of (await response).body) chunks.push(chunk);
  await producing;
  expect(gunzipSync(Buffer.concat(chunks)).equals(body)).toBe(true);
});

test('a client that disconnects ends a waiting producer', async () => {
  const { exchange, response } = createInProcessExchange({ method: 'GET', target: '/' });
  const writer = new GzipWriter(exchange.startStream(200, 'application/json'));
  const producing = (async () => {
    while (true) if (!writer.write(noise(100_000))) await writer.drained();
  })();
  for await (const chunk of (await response).body) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await expect(producing).rejects.toBeInstanceOf(BodyAbortedError);
  expect([writer.closed, writer.write(noise(1))]).toEqual([true, false]);
});
