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

/** An error that says nothing about the outcome. */
class OtherError extends Error {}

/** An unexpected error ends the exchange of a server without filters. */
const statusOf = (answer: Promise<{ readonly status: number }>): Promise<number> =>
  answer.then(
    ({ status }) => status,
    () => 500,
  );

const FAILURES = [
  [OutOfSpaceError, 507, 201],
  [StorageUnavailableError, 503, 201],
  [OutcomeUnknownError, 500, 500],
  [OtherError, 500, 500],
] as const;

/** There are ten node ports: a port that a rejected write leaked would be missing. */
it.each(
  FAILURES.flatMap(([Failure, refused, later]) => [
    [Failure, 'PUT', `${services}/a`, refused, later] as const,
    [Failure, 'POST', services, refused, later] as const,
  ]),
)('after %o of a %s a Service keeps its ports only if the outcome is unknown', async (...row) => {
  const [Failure, method, path, refused, later] = row;
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
  if (method === 'PUT') await server.send('POST', services, service('a', 'ClusterIP'));
  failing = true;
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(await statusOf(server.send(method, path, service('a', 'NodePort')))).toBe(refused);
  failing = false;
  expect((await server.send('POST', services, service('b', 'NodePort'))).status).toBe(later);
  await server.close();
});
