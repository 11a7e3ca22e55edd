import type { Endpoints, Service } from '../model/generated/core-v1.ts';
import type { EndpointSlice } from '../model/generated/discovery-v1.ts';
import type { Life } from '../model/life.ts';
import { SERVICE_NAME_LABEL } from '../model/service-labels.ts';
import type { EndpointsObject, ServiceSource } from '../outbound/service-resolver.ts';
import type { Resources } from '../resources/resources.ts';
import { Lister } from './listers.ts';

/** The releases that read EndpointSlices, not Endpoints. */
const READS_SLICES: Life = { since: '1.34' };

/** Reads Services and their endpoints from the cache, for the addresses of webhooks and extension servers. */
export function createServiceSource(resources: Resources): ServiceSource {
  const services = new Lister(resources, '', 'services');
  const service: ServiceSource['service'] = async (namespace, name) =>
    (await services.get(namespace, name)) as Service | undefined;
  return resources.scheme.has(READS_SLICES)
    ? { service, ...createSliceSource(resources) }
    : { service, ...createEndpointsSource(resources) };
}

type EndpointsSource = Omit<ServiceSource, 'service'>;

function createEndpointsSource(resources: Resources): EndpointsSource {
  const endpoints = new Lister(resources, '', 'endpoints');
  return {
    endpointsResource: 'endpoints',
    endpoints: async (namespace, name) => (await endpoints.get(namespace, name)) as Endpoints | undefined,
  };
}

function createSliceSource(resources: Resources): EndpointsSource {
  const slices = new Lister<EndpointSlice>(resources, 'discovery.k8s.io', 'endpointslices');
  return {
    endpointsResource: 'endpointslices',
    endpoints: async (namespace, name) => {
      const found = await slices.list(
        namespace,
        ({ header }) => header.labels?.[SERVICE_NAME_LABEL] === name,
      );
      return found.length === 0 ? undefined : { subsets: found.map(subsetOf) };
    },
  };
}

/** The ready endpoints of a slice by their first addresses, and its ports with a name and a number. */
function subsetOf({
  addressType,
  endpoints,
  ports,
}: EndpointSlice): NonNullable<EndpointsObject['subsets']>[number] {
  return {
    family: addressType,
    addresses: (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ addresses }) => ({ ip: addresses?.[0] })),
    ports: (ports ?? []).filter(({ name, port }) => name !== undefined && port !== undefined),
  };
}
