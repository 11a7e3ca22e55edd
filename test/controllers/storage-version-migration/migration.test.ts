import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  failed,
  isAbove,
  nextStep,
  resourceKeyOf,
  runningCondition,
  SUCCEEDED,
  withConditions,
} from '../../../src/controllers/storage-version-migration/migration.ts';
import type { StorageVersionMigration } from '../../../src/model/generated/storagemigration-v1.ts';

const migration = (
  name: string,
  conditions: Readonly<Record<string, 'True' | 'False'>> = {},
): StorageVersionMigration => ({
  metadata: { name, creationTimestamp: `2025-01-0${name.length}T00:00:00Z` },
  spec: { resource: { group: 'apps', resource: 'deployments' } },
  status: { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })) },
});

describe('the next step of the migrations of a resource', () => {
  it('runs one at a time, the oldest first', () => {
    const [old, young] = [migration('a'), migration('bb')];
    expect(nextStep([young, old])).toEqual({ ended: [], running: undefined, next: old });
    const running = migration('ccc', { Running: 'True' });
    expect(nextStep([young, running, old])).toEqual({ ended: [], running, next: undefined });
  });

  it('ends those that are done, and begins the next one', () => {
    const done = migration('a', { Running: 'True', Failed: 'True' });
    const waiting = migration('bb');
    expect(nextStep([done, waiting])).toEqual({ ended: [done], running: undefined, next: waiting });
    const ended = migration('a', { Running: 'False', Succeeded: 'True' });
    expect(nextStep([ended])).toEqual({ ended: [], running: undefined, next: undefined });
  });
});

it('names a resource of the core group with a dot at its end', () => {
  expect(resourceKeyOf({ spec: { resource: { resource: 'secrets' } } })).toBe('secrets.');
  expect(resourceKeyOf(migration('a'))).toBe('deployments.apps');
});

it('keeps the time of a condition whose status stays', () => {
  const first = withConditions(migration('a'), [runningCondition()], '2025-01-01T00:00:00Z');
  const second = withConditions(
    first,
    [runningCondition({ left: 1, total: 3 }, 'busy'), SUCCEEDED],
    '2025-01-02T00:00:00Z',
  );
  expect(second.status?.conditions).toEqual([
    {
      type: 'Running',
      status: 'True',
      reason: 'MigrationRunning',
      message: 'The migration is running, 1/3 objects not yet migrated; transient error: busy',
      lastTransitionTime: '2025-01-01T00:00:00Z',
    },
    { ...SUCCEEDED, lastTransitionTime: '2025-01-02T00:00:00Z' },
  ]);
  expect(failed('no').status).toBe('True');
});

it('compares resource versions as numbers of any length', () => {
  const version = fc.bigInt({ min: 1n, max: 2n ** 70n });
  fc.assert(
    fc.property(version, version, (one, other) => {
      expect(isAbove(String(one), String(other))).toBe(one > other);
    }),
  );
});
