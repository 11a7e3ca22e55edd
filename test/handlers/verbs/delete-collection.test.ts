import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type Storage, StorageUnavailableError, type Transaction } from '../../../src/storage/storage.ts';
import { smallServer } from '../../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';

it('stops deleting after a failure, before it responds', async () => {
  const storage = createMemoryStorage();
  let inFlight = 0;
  let attempts = 0;
  const failing = new Proxy(storage, {
    get: (target, name) => {
      if (name === 'transact')
        return async (transaction: Transaction) => {
          if (transaction.value !== undefined) return target.transact(transaction);
          attempts += 1;
          const fails = attempts === 3;
          inFlight += 1;
          // The other deletions take longer than the one that fails.
          if (!fails)
            for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          inFlight -= 1;
          if (fails) throw new StorageUnavailableError('the store is closing');
          return target.transact(transaction);
        };
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  }) as Storage;
  const server = smallServer({ storage: failing });
  for (let index = 0; index < 100; index += 1)
    await server.send('POST', maps, { metadata: { name: `m${index}` } });
  const { status, object } = await server.send('DELETE', maps);
  expect([status, object.message]).toEqual([503, 'the store is closing']);
  expect([inFlight, attempts]).toEqual([0, 16]);
  expect((await server.send('GET', maps)).object.items).toHaveLength(85);
  await server.close();
});
