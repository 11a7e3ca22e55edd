import { expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../../src/request/admission.ts';
import { errors } from '../../../src/status/index.ts';
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

it('deletes one object after the other where each can be refused', async () => {
  const asked: string[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Test',
    handles: (operation) => operation === 'DELETE',
    async validate({ oldObject }) {
      asked.push(oldObject!.metadata!.name!);
      if (asked.length === 3) throw errors.badRequest('not this one');
    },
  };
  const server = smallServer({ storage: createMemoryStorage(), plugins: [plugin] });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await server.send('POST', maps, { metadata: { name } });
  const byVersion = await server.send('DELETE', maps, {
    preconditions: {
      resourceVersion: (await server.send('GET', `${maps}/b`)).object.metadata!.resourceVersion,
    },
  });
  expect([byVersion.status, asked]).toEqual([409, []]);
  const { status, object } = await server.send('DELETE', maps);
  expect([status, object.message, asked]).toEqual([400, 'not this one', ['a', 'b', 'c']]);
  const items = (await server.send('GET', maps)).object.items as { metadata: { name: string } }[];
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['c', 'd', 'e']);
  await server.close();
});
