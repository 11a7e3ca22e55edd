import { describe, expect, it } from 'vitest';
import {
  createServiceResolver,
  type EndpointsObject,
  type ServiceObject,
} from '../../src/outbound/service-resolver.ts';

/** Addresses and texts of kube-apiserver's resolver. */
describe('createServiceResolver', () => {
  const ports = [
    { name: 'other', port: 80 },
    { name: 'https', port: 443 },
  ];
  const services: Record<string, ServiceObject> = {
    plain: { spec: { clusterIP: '10.0.0.7', ports } },
    six: { spec: { type: 'LoadBalancer', clusterIP: 'fd00::7', ports } },
    headless: { spec: { type: 'ClusterIP', clusterIP: 'None', ports } },
    bare: { spec: { type: 'NodePort', clusterIP: '10.0.0.8', ports } },
    empty: { spec: { type: 'ClusterIP', clusterIP: '10.0.0.9', ports } },
    outside: { spec: { type: 'ExternalName', externalName: 'hooks.example.com' } },
    odd: { spec: { type: 'Odd', ports } },
  };
  const endpoints: Record<string, EndpointsObject> = {
    plain: {
      subsets: [
        { ports: [{ name: 'https', port: 8443 }] },
        { addresses: [{ ip: '10.1.0.1' }], ports: [{ name: 'other', port: 8080 }] },
        { addresses: [{ ip: '10.1.0.2' }, { ip: '10.1.0.3' }], ports: [{ name: 'https', port: 8443 }] },
      ],
    },
    headless: { subsets: [{ addresses: [{ ip: '10.1.0.4' }], ports: [{ name: 'https', port: 8443 }] }] },
    empty: { subsets: [] },
  };
  const resolve = (name: string, port = 443, toEndpoints = false, random = () => 0) =>
    createServiceResolver({
      source: {
        endpointsResource: 'endpoints',
        service: (namespace, service) => (namespace === 'ns' ? services[service] : undefined),
        endpoints: async (_, service) => endpoints[service],
      },
      toEndpoints,
      self: () => ({ host: '127.0.0.1', port: 6443 }),
      random,
    })(name === 'kubernetes' ? 'default' : 'ns', name, port);

  it.each([
    ['plain', 443, { host: '10.0.0.7', port: 443 }],
    ['six', 80, { host: 'fd00::7', port: 80 }],
    ['outside', 8443, { host: 'hooks.example.com', port: 8443 }],
  ])('cluster IP of %s', async (name, port, address) => {
    expect(await resolve(name, port)).toEqual({ ...address, serverName: `${name}.ns.svc` });
  });

  it('endpoints', async () => {
    expect(await resolve('plain', 443, true)).toMatchObject({ host: '10.1.0.2', port: 8443 });
    expect(await resolve('plain', 443, true, () => 0.99)).toMatchObject({ host: '10.1.0.3', port: 8443 });
    expect(await resolve('headless', 443, true)).toMatchObject({ host: '10.1.0.4', port: 8443 });
    expect(await resolve('outside', 443, true)).toMatchObject({ host: 'hooks.example.com', port: 443 });
  });

  it.each([false, true])('default/kubernetes is this server', async (toEndpoints) => {
    expect(await resolve('kubernetes', 443, toEndpoints)).toEqual({
      host: '127.0.0.1',
      port: 6443,
      serverName: 'kubernetes.default.svc',
    });
  });

  it.each([
    ['absent', 443, false, 'service "absent" not found'],
    ['headless', 443, false, 'cannot route to service with ClusterIP "None"'],
    ['plain', 444, false, 'no service port 444 found for service "plain"'],
    ['plain', 444, true, 'no service port 444 found for service "plain"'],
    ['odd', 443, false, 'unsupported service type "Odd"'],
    ['bare', 443, true, 'endpoints "bare" not found'],
    ['empty', 443, true, 'no endpoints available for service "empty"'],
  ])('%s:%i, endpoints %s: %s', async (name, port, toEndpoints, text) => {
    await expect(resolve(name, port, toEndpoints)).rejects.toThrow(text);
  });
});
