import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../../support/small-server.ts';

const services = '/api/v1/namespaces/n/services';
const a = { name: 'a', port: 80 };
const b = { name: 'b', port: 81 };

let server: SmallServer;
beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

const change = async (from: object, to: object) => {
  await server.send('POST', services, { metadata: { name: 's' }, spec: from });
  return (await server.send('PUT', `${services}/s`, { metadata: { name: 's' }, spec: to })).object;
};
const nodePorts = ({ spec }: { spec: { ports: { nodePort?: number }[] } }) =>
  spec.ports.map(({ nodePort }) => nodePort);

const withNodePorts = {
  type: 'NodePort',
  ports: [
    { ...a, nodePort: 30_001 },
    { ...b, nodePort: 30_002 },
  ],
};
const optingOut = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };

it.each([withNodePorts, { ...withNodePorts, type: 'LoadBalancer' }])(
  'a load balancer that opts out of node ports keeps those only that it names, after %j',
  async (from) => {
    expect(nodePorts(await change(from, { ...optingOut, ports: [a] }))).toEqual([undefined]);
    expect(nodePorts(await change(from, { ...optingOut, ports: [a, { ...b, nodePort: 30_002 }] }))).toEqual([
      undefined,
      30_002,
    ]);
  },
);

it('a type without node ports drops them when none is new, also with fewer ports', async () => {
  const to = { type: 'ClusterIP', ports: [{ ...a, nodePort: 30_001 }] };
  expect(nodePorts(await change(withNodePorts, to))).toEqual([undefined]);
  const fresh = { type: 'ClusterIP', ports: [{ ...a, nodePort: 30_005 }] };
  await server.send('DELETE', `${services}/s`);
  expect((await change(withNodePorts, fresh)).message).toContain('may not be used when `type` is');
});

it('a client that changes only clusterIP changes the list with it', async () => {
  const object = await change({ clusterIP: '10.0.0.7', ports: [a] }, { clusterIP: '10.0.0.8', ports: [a] });
  expect(object.message).toContain(
    'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.8"}: may not change once set',
  );
});
