import { expect, it } from 'vitest';
import { createServiceSource } from '../../src/listers/service-source.ts';
import { createServiceResolver } from '../../src/outbound/service-resolver.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { resourcesOn } from '../support/resources-on.ts';
import { smallServer } from '../support/small-server.ts';

it('resolves stored Services and Endpoints', async () => {
  const storage = createMemoryStorage();
  const server = smallServer({ storage });
  const resources = resourcesOn(storage);
  const base = '/api/v1/namespaces/ns';
  const ports = [{ name: 'https', port: 443 }];
  const created = [
    await server.send('POST', `${base}/services`, { metadata: { name: 'hook' }, spec: { ports } }),
    await server.send('POST', `${base}/endpoints`, {
      metadata: { name: 'hook' },
      subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ name: 'https', port: 8443 }] }],
    }),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
  const resolve = (toEndpoints: boolean, name = 'hook') =>
    createServiceResolver({
      source: createServiceSource(resources),
      toEndpoints,
      self: () => ({ host: '127.0.0.1', port: 6443 }),
    })('ns', name, 443);
  expect(await resolve(false)).toMatchObject({ host: expect.stringMatching(/^10\.0\.0\./), port: 443 });
  expect(await resolve(true)).toMatchObject({ host: '10.1.0.1', port: 8443 });
  await expect(resolve(false, 'absent')).rejects.toThrow('service "absent" not found');
  await server.close();
});
