import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamBodyWriter } from '../../src/connection/body-writer.ts';
import { defaultLimits } from '../../src/connection/limits.ts';
import type { QueueAccount } from '../../src/connection/queue-account.ts';

const FRAME = Buffer.alloc(16 * 1024);

/** A writer into a stream whose peer does not read until allowed. */
function blocked(account: QueueAccount) {
  const taken: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
  const writer = new StreamBodyWriter(stream, account, () => writer.detach());
  return {
    writer,
    /** Writes until it must wait; returns the bytes written. */
    fill(): number {
      while (writer.write(FRAME));
      return writer.queuedBytes;
    },
    async take(): Promise<void> {
      while (taken.length > 0) {
        taken.shift()!();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const account = (): QueueAccount => ({ queuedBytes: 0, limits: defaultLimits, onOverflow: () => undefined });

test('a producer must wait earlier when its connection has a long queue', async () => {
  const shared = account();
  const streams = Array.from({ length: 250 }, () => blocked(shared));
  const filled = streams.map((stream) => stream.fill());
  expect(filled[0]).toBe(256 * 1024);
  expect(filled.at(-1)).toBe(64 * 1024);
  expect(shared.queuedBytes).toBeLessThan(8 * 1024 * 1024 + 250 * (64 + 16) * 1024);
  const last = streams.at(-1)!;
  let isDrained = false;
  void last.writer.drained().then(() => {
    isDrained = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDrained).toBe(false);
  await last.take();
  expect(isDrained).toBe(true);
  for (const { writer } of streams) writer.detach();
  expect(shared.queuedBytes).toBe(0);
  const after = blocked(shared);
  expect(after.fill()).toBe(256 * 1024);
});
