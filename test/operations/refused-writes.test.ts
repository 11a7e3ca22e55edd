import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import {
  OutcomeUnknownError,
  OutOfSpaceError,
  type Storage,
  StorageUnavailableError,
} from '../../src/storage/storage.ts';
import { smallServer } from '../support/small-server.ts';

const services = '/api/v1/namespaces/n/services';
const service = (name: string, type: string) => ({
  metadata: { name },
  spec: { type, ports: [{ port: 80 }] },
});

/** There are ten node ports: a port that a rejected write leaked would be missing. */
it.each([
  [OutOfSpaceError, 507, 201],
  [StorageUnavailableError, 503, 201],
  [OutcomeUnknownError, 500, 500],
])('after %o a Service keeps its ports only if the outcome is unknown', async (Failure, refused, later) => {
  const storage = createMemoryStorage();
  let failing = false;
  const full = new Proxy(storage, {
    get: (target, name) => {
      if (name === 'transact' && failing) return () => Promise.reject(new Failure('not now'));
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  }) as Storage;
  const server = smallServer({ storage: full });
  await server.send('POST', services, service('a', 'ClusterIP'));
  failing = true;
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await server.send('PUT', `${services}/a`, service('a', 'NodePort'))).status).toBe(refused);
  failing = false;
  expect((await server.send('POST', services, service('b', 'NodePort'))).status).toBe(later);
  await server.close();
});
