import { expect, it } from 'vitest';
import { createServiceSource } from '../../src/listers/service-source.ts';
import { loadScheme } from '../../src/model/scheme.ts';
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

it('resolves Services by their EndpointSlices since 1.34, those of the first family first', async () => {
  const storage = createMemoryStorage();
  const scheme = await loadScheme('1.34');
  const server = smallServer({ storage, scheme });
  const resources = resourcesOn(storage, scheme);
  const ports = [{ name: 'https', port: 443 }];
  const slice = (service: string, addressType: string, address: string, ready?: boolean) =>
    server.send('POST', '/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices', {
      metadata: {
        name: `${service}-${addressType.toLowerCase()}`,
        labels: { 'kubernetes.io/service-name': service },
      },
      addressType,
      endpoints: [{ addresses: [address], ...(ready === undefined ? {} : { conditions: { ready } }) }],
      ports: [{ name: 'https', port: 8443 }],
    });
  const service = (name: string) =>
    server.send('POST', '/api/v1/namespaces/ns/services', { metadata: { name }, spec: { ports } });
  const created = [
    await service('hook'),
    await service('idle'),
    await service('bare'),
    await slice('hook', 'IPv6', 'fd00::1'),
    await slice('hook', 'IPv4', '10.1.0.1'),
    await slice('idle', 'IPv4', '10.1.0.2', false),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  const source = createServiceSource(resources);
  const resolve = (name: string) =>
    createServiceResolver({ source, toEndpoints: true, self: () => ({ host: '127.0.0.1', port: 6443 }) })(
      'ns',
      name,
      443,
    );
  expect(await resolve('hook')).toMatchObject({ host: '10.1.0.1', port: 8443 });
  await expect(resolve('idle')).rejects.toThrow('no endpoints available for service "idle"');
  await expect(resolve('bare')).rejects.toThrow('no endpoints available for service "bare"');
  await server.close();
});
