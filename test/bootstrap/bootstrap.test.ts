import { expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap/bootstrap.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { KeyExistsError, OutcomeUnknownError } from '../../src/storage/storage.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { resourcesOn } from '../support/resources-on.ts';

/** Creates the objects of a cluster on a store whose first batches end with errors. */
async function bootstrapAfter(errors: Error[]) {
  const storage = new LateStorage(createMemoryStorage());
  /** Values by key of all writes of absent keys. */
  const written: string[] = [];
  const create = storage.createBatch.bind(storage);
  storage.createBatch = async (entries) => {
    const error = errors.shift();
    const done = error === undefined ? entries : entries.slice(0, entries.length / 2);
    written.push(...done.map(({ key }) => key));
    const revisions = await create(done);
    if (error !== undefined) throw error;
    return revisions;
  };
  storage.transact = () => expect.unreachable();
  const resources = resourcesOn(storage);
  let uids = 0;
  try {
    await bootstrap({
      isOn: schemeOf().isOnByDefault,
      resources,
      now: 0,
      uid: () => `uid-${++uids}`,
      service: {
        clusterIP: '10.0.0.1',
        family: 'IPv4',
        advertiseAddress: '192.0.2.1',
        port: 6443,
        nodePort: 0,
      },
      publishEndpoints: false,
      rbac: true,
      authenticationData: {},
      replacesCorrupt: false,
      identity: { name: 'server', holder: 'server', hostname: 'host' },
    });
    return { written, keys: (await storage.range({ start: '/', end: '0', keysOnly: true })).entries };
  } finally {
    resources.close();
    await storage.close();
  }
}

it.each([
  ['another server has created one', new KeyExistsError('/registry/namespaces/default')],
  ['the outcome of one is unknown', new OutcomeUnknownError('the answer was lost', true)],
])('bootstrap objects are read again, and those that are absent are created, when %s', async (_, error) => {
  const expected = await bootstrapAfter([]);
  const { written, keys } = await bootstrapAfter([error, error]);
  expect(keys.map(({ key }) => key)).toEqual(expected.keys.map(({ key }) => key));
  expect(written.sort()).toEqual(expected.written.sort());
});

it('an error that lasts ends the start', async () => {
  const unknown = () => new OutcomeUnknownError('the answer was lost', true);
  await expect(bootstrapAfter(Array.from({ length: 5 }, unknown))).rejects.toThrow('the answer was lost');
});
