import { isDeepStrictEqual } from 'node:util';
import {
  type ClusterService,
  kubernetesEndpointSlice,
  kubernetesEndpoints,
  kubernetesService,
} from '../bootstrap/cluster-service.ts';
import { bootstrapNamespaces } from '../bootstrap/index.ts';
import type { Endpoints } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { Client, Resource } from '../reconcile/client.ts';
import { NAMESPACES } from '../reconcile/resources.ts';
import type { ProcessClock } from '../time/clock.ts';
import { addressesOf } from './endpoint-addresses.ts';
import { type Periodic, runPeriodically } from './periodic.ts';
import type { ServerAddresses } from './server-addresses.ts';

/** kube-apiserver's values, in milliseconds. */
const ENDPOINTS_INTERVAL = 10_000;
const NAMESPACES_INTERVAL = 60_000;

const SERVICES: Resource = { group: '', version: 'v1', resource: 'services', kind: 'Service' };
const ENDPOINTS: Resource = { group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints' };
const ENDPOINT_SLICES: Resource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
};
const NAMESPACE = 'default';
const NAME = 'kubernetes';

export interface KubernetesServiceOptions {
  readonly client: Client;
  readonly service: ClusterService;
  /** Undefined if the Endpoints are not published (`--endpoint-reconciler-type=none`). */
  readonly addresses: ServerAddresses | undefined;
  readonly clock: Pick<ProcessClock, 'after'>;
  readonly logger: Logger;
}

/**
 * Maintains what every cluster has: the system namespaces, the Service `kubernetes`, and its Endpoints with
 * the addresses of all servers.
 */
export function maintainKubernetesService(options: KubernetesServiceOptions): Pick<Periodic, 'stop'> {
  const { client, service, addresses, clock, logger } = options;
  const reconcile = async (): Promise<void> => {
    await createMissing(client, SERVICES, [kubernetesService(service)]);
    if (addresses === undefined) return;
    const stored = (await client.get(ENDPOINTS, NAMESPACE, NAME)) as Endpoints | undefined;
    await publish(options, stored, await addresses.announce(addressesOf(stored)));
  };
  const endpoints = runPeriodically({
    clock,
    delay: 0,
    interval: ENDPOINTS_INTERVAL,
    run: reconcile,
    onError: (error) => logger.warn('failed to reconcile the kubernetes service', { err: error.message }),
  });
  const namespaces = runPeriodically({
    clock,
    interval: NAMESPACES_INTERVAL,
    run: () => createMissing(client, NAMESPACES, bootstrapNamespaces()),
    onError: (error) => logger.warn('failed to create the system namespaces', { err: error.message }),
  });
  return {
    async stop() {
      await Promise.all([endpoints.stop(), namespaces.stop()]);
      try {
        const others = await addresses?.withdraw();
        if (others === undefined) return;
        await publish(options, (await client.get(ENDPOINTS, NAMESPACE, NAME)) as Endpoints, others);
      } catch (error) {
        logger.warn('failed to remove this server from the kubernetes service', {
          err: (error as Error).message,
        });
      }
    },
  };
}

async function createMissing(
  client: Client,
  resource: Resource,
  objects: readonly KubernetesObject[],
): Promise<void> {
  for (const object of objects) {
    const { namespace = '', name = '' } = object.metadata ?? {};
    if ((await client.get(resource, namespace, name)) === undefined) await client.create(resource, object);
  }
}

/** Writes Endpoints and EndpointSlice unless they have the addresses. */
async function publish(
  { client, service }: KubernetesServiceOptions,
  stored: KubernetesObject | undefined,
  addresses: readonly string[],
): Promise<void> {
  await write(client, ENDPOINTS, kubernetesEndpoints(service, addresses), stored, ['subsets']);
  const slice = kubernetesEndpointSlice(service, addresses);
  const storedSlice = await client.get(ENDPOINT_SLICES, NAMESPACE, NAME);
  await write(client, ENDPOINT_SLICES, slice, storedSlice, ['addressType', 'endpoints', 'ports']);
}

async function write(
  client: Client,
  resource: Resource,
  desired: KubernetesObject,
  stored: KubernetesObject | undefined,
  members: readonly string[],
): Promise<void> {
  if (stored === undefined) {
    await client.create(resource, desired);
    return;
  }
  const values = desired as Record<string, unknown>;
  const labels = { ...stored.metadata?.labels, ...desired.metadata?.labels };
  const isSame = members.every((member) =>
    isDeepStrictEqual((stored as Record<string, unknown>)[member], values[member]),
  );
  if (isSame && isDeepStrictEqual(labels, stored.metadata?.labels)) return;
  const changed = Object.fromEntries(members.map((member) => [member, values[member]]));
  await client.update(resource, { ...stored, ...changed, metadata: { ...stored.metadata, labels } });
}
