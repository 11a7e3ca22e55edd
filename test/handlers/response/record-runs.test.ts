import { expect, it } from 'vitest';
import { CacheRecord } from '../../../src/cache/record.ts';
import { runsOf } from '../../../src/handlers/response/record-runs.ts';
import { plainReader } from '../../cache/support.ts';

const VALUE = Buffer.alloc(4000);
const record = (at: number, revision = at) =>
  new CacheRecord(`/registry/pods/default/pod-${String(at).padStart(5, '0')}`, revision, VALUE, plainReader);
const records = Array.from({ length: 3000 }, (_, at) => record(at));
const identity = (all: readonly CacheRecord[]): string[] =>
  [...runsOf(all)].map((run) => `${run.hash} ${run.records.map(({ key }) => key).join()}`);
const changed = (all: readonly CacheRecord[]): number => {
  const before = new Set(identity(records));
  return identity(all).filter((run) => !before.has(run)).length;
};

it('has all records in order, in runs of bounded size', () => {
  const runs = [...runsOf(records)].map((run) => run.records);
  expect(runs.flat()).toEqual(records);
  expect(runs.length).toBeGreaterThan(30);
  for (const run of runs.slice(0, -1)) {
    expect(run.length * VALUE.length).toBeGreaterThanOrEqual(96 * 1024);
    expect(run.length * VALUE.length).toBeLessThan(384 * 1024 + VALUE.length);
  }
});

it('leaves other runs as they are when a record changes, comes or goes', () => {
  expect(changed(records)).toBe(0);
  for (const at of [0, 7, 1500, 2999]) {
    expect(changed(records.with(at, record(at, 5000)))).toBe(1);
    expect(changed(records.toSpliced(at, 1))).toBeLessThanOrEqual(3);
  }
  expect(changed(records.slice(1000, 2000))).toBeLessThanOrEqual(4);
});
