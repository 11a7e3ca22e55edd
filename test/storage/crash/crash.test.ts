import { expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { Recorder, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { exited, linesOf, startProgram } from './child.ts';

const rounds = 20;
const keys = 12;

interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

/** Runs a writer until `after` changes are acknowledged, kills it, and returns all acknowledged changes. */
async function runAndKill(directory: string, generation: number, after: number): Promise<Acknowledged[]> {
  const child = startProgram('writer.ts', [directory, String(generation), String(keys)]);
  const closed = exited(child);
  const acknowledged: Acknowledged[] = [];
  for await (const line of linesOf(child)) {
    if (line.startsWith('error')) throw new Error(line);
    const [key, revision, value] = line.split(' ');
    if (value === undefined) continue;
    acknowledged.push({ key: key!, revision: Number(revision), value });
    if (acknowledged.length === after) child.kill('SIGKILL');
  }
  await closed;
  return acknowledged;
}

test(`kill -9 of a writer, ${rounds} times: no acknowledged change is lost, no revision is reused`, {
  timeout: 600_000,
}, async () => {
  const directory = temporaryDirectory();
  const used = new Map<number, string>();
  let last = 1;
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await runAndKill(directory, round, 1 + Math.floor(Math.random() * 600));
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const { key, revision, value } of acknowledged) {
      expect(revision).toBeGreaterThan(last);
      expect(used.has(revision)).toBe(false);
      used.set(revision, `${key} ${value}`);
    }
    const storage = await openEmbeddedStorage({ directory });
    const newest = new Map<string, Acknowledged>();
    for (const one of acknowledged) newest.set(one.key, one);
    for (const { key, revision, value } of newest.values()) {
      const { entry } = await storage.get(key);
      // A durable change that was not yet acknowledged may follow the last acknowledged one.
      if (entry?.revision === revision) expect(text(entry.value)).toBe(value);
      else if (entry || value !== '-') expect(entry === undefined || entry.revision > revision).toBe(true);
      expect(storage.revision).toBeGreaterThanOrEqual(revision);
    }
    const from = acknowledged[0]!.revision;
    const watch = new Recorder(storage, from);
    const ended = await Promise.race([
      watch.ended,
      watch.until(() => watch.revisions.at(-1) === storage.revision),
    ]);
    if (ended) expect(ended.name).toBe('CompactedError');
    else {
      // One writer process, no failed commit: revisions have no gaps, and each acknowledged one has its
      // value.
      expect(watch.revisions).toEqual(
        Array.from({ length: storage.revision - from + 1 }, (_, index) => from + index),
      );
      for (const event of watch.events) {
        const known = used.get(event.revision);
        if (known) expect(`${event.key} ${event.type === 'delete' ? '-' : text(event.value)}`).toBe(known);
      }
    }
    last = storage.revision;
    await storage.close();
  }
});
