import { expect, test } from 'vitest';
import { findEndpoint, subsetsOf } from '../../../src/handlers/subresources/service-endpoint.ts';
import type { EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';

const pod = (name: string, ip: string) => ({ metadata: { name }, status: { podIPs: [{ ip }] } });
const PODS = [pod('a', '10.0.0.1'), pod('b', '10.0.0.2'), pod('c', 'fd00::1')];
const endpoint = (ip: string, name: string, ready?: boolean) => ({
  addresses: [ip],
  targetRef: { kind: 'Pod', namespace: 'n', name },
  ...(ready === undefined ? {} : { conditions: { ready } }),
});
const slice = (addressType: string, endpoints: object[], ports: object[]): EndpointSlice =>
  ({ addressType, endpoints, ports }) as EndpointSlice;

test('endpoints of slices are ready, have named ports, and those of a family come first', () => {
  const { preferred, others } = subsetsOf(
    [
      slice('IPv6', [endpoint('fd00::1', 'c')], [{ name: 'web', port: 80 }]),
      slice(
        'IPv4',
        [endpoint('10.0.0.1', 'a', false), endpoint('10.0.0.2', 'b')],
        [{ port: 1 }, { name: 'none' }, { name: 'web', port: 8080 }],
      ),
    ],
    'IPv4',
  );
  const find = (subsets: typeof preferred, portName: string) =>
    findEndpoint(subsets, portName, 'n', (name) => PODS.find(({ metadata }) => metadata.name === name));
  expect(find(preferred, 'web')).toMatchObject({ host: '10.0.0.2', port: 8080 });
  expect(find(preferred, '')).toBeUndefined();
  expect(find(preferred, 'none')).toBeUndefined();
  expect(find(others, 'web')).toMatchObject({ host: 'fd00::1', port: 80 });
});
