import { describe, expect, it } from 'vitest';
import type { RegisteredVersion } from '../../../src/extensions/aggregation/api-service.ts';
import { checkAvailability } from '../../../src/extensions/aggregation/availability.ts';
import type { EndpointsObject, ServiceObject } from '../../../src/outbound/service-resolver.ts';

const registered = (service: RegisteredVersion['service']): RegisteredVersion => ({
  name: 'v1.g.test',
  group: 'g.test',
  version: 'v1',
  groupPriorityMinimum: 1,
  versionPriority: 1,
  service,
  caBundle: '',
  insecureSkipTLSVerify: true,
  conditions: [],
});
const remote = registered({ namespace: 'ns', name: 'svc', port: 443 });

interface World {
  readonly service?: ServiceObject | Error;
  readonly endpoints?: EndpointsObject | Error;
  readonly endpointsResource?: 'endpoints' | 'endpointslices';
  readonly probe?: Error;
}

async function check(
  { service, endpoints, endpointsResource = 'endpoints', probe }: World,
  of = remote,
): Promise<string> {
  const read = <T>(value: T | Error | undefined): T | undefined => {
    if (value instanceof Error) throw value;
    return value;
  };
  const { status, reason, message } = await checkAvailability(of, {
    source: { endpointsResource, service: () => read(service), endpoints: () => read(endpoints) },
    probe: () => (probe === undefined ? Promise.resolve() : Promise.reject(probe)),
  });
  return `${status} ${reason}: ${message}`;
}

const clusterIp: ServiceObject = { spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443 }] } };
const ready: EndpointsObject = {
  subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'https', port: 8443 }] }],
};

describe('availability of an APIService', () => {
  it('has the reasons and texts of kube-apiserver', async () => {
    expect(await check({}, registered(undefined))).toBe('True Local: Local APIServices are always available');
    expect(await check({})).toBe('False ServiceNotFound: service/svc in "ns" is not present');
    expect(await check({ service: new Error('broken') })).toBe(
      'Unknown ServiceAccessError: service/svc in "ns" cannot be checked due to: broken',
    );
    expect(await check({ service: { spec: { ports: [{ port: 80 }] } } })).toBe(
      'False ServicePortError: service/svc in "ns" is not listening on port 443',
    );
    expect(await check({ service: clusterIp })).toBe(
      'False EndpointsNotFound: cannot find endpoints for service/svc in "ns"',
    );
    expect(await check({ service: clusterIp, endpoints: new Error('broken') })).toBe(
      'Unknown EndpointsAccessError: service/svc in "ns" cannot be checked due to: broken',
    );
    const missing =
      'False MissingEndpoints: endpoints for service/svc in "ns" have no addresses with port name "https"';
    const subset = ready.subsets![0]!;
    for (const subsets of [
      [],
      [{ ...subset, addresses: [] }],
      [{ ...subset, ports: [{ name: 'other', port: 1 }] }],
    ])
      expect(await check({ service: clusterIp, endpoints: { subsets } })).toBe(missing);
    expect(await check({ service: clusterIp, endpoints: ready, probe: new Error('text') })).toBe(
      'False FailedDiscoveryCheck: text',
    );
    expect(await check({ service: clusterIp, endpointsResource: 'endpointslices' })).toBe(
      'False EndpointsNotFound: cannot find endpointslices for service/svc in "ns"',
    );
    expect(await check({ service: clusterIp, endpoints: ready })).toBe('True Passed: all checks passed');
  });

  it('asks only for discovery of other types of Services', async () => {
    expect(await check({ service: { spec: { type: 'ExternalName', externalName: 'h' } } })).toBe(
      'True Passed: all checks passed',
    );
  });
});
