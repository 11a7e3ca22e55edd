import { expect, it } from 'vitest';
import { ForeignChanges } from '../../src/reconcile/foreign-changes.ts';

/** Reconciles a key in which changes are noticed and writes succeed; returns how often others have changed something. */
async function follow(events: readonly ('noticed' | 'written')[], fails = false): Promise<number> {
  const changes = new ForeignChanges();
  let told = 0;
  const followed = changes.follow(
    'a',
    async () => {
      for (const event of events) changes[event]('a');
      if (fails) throw new Error('failed');
    },
    () => {
      told += 1;
    },
  );
  await followed.catch(() => undefined);
  expect(changes.noticed('a')).toBe(false);
  return told;
}

it('tells nobody of own writes', async () => {
  expect(await follow([])).toBe(0);
  expect(await follow(['noticed', 'written', 'noticed', 'noticed', 'written', 'written'])).toBe(0);
});

it('tells of changes beyond own writes, once, also of a reconcile that fails', async () => {
  expect(await follow(['noticed', 'written', 'noticed', 'noticed'])).toBe(1);
  expect(await follow(['noticed'], true)).toBe(1);
});

it('leaves changes to others that come while the key is not reconciled', () =>
  expect(new ForeignChanges().noticed('a')).toBe(false));
