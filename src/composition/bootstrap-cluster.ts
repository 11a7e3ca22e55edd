import { randomUUID } from 'node:crypto';
import { familyName } from '../addresses/address.ts';
import { addressAt } from '../addresses/range.ts';
import { bootstrap } from '../bootstrap/bootstrap.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { ClusterService } from '../registry/bootstrap/cluster-service.ts';
import type { Registry } from '../registry/registry.ts';
import type { ServerIdentity } from '../replicas/identity-lease.ts';
import type { Authorization } from './authorization.ts';
import type { createIdentity } from './identity.ts';

/** The options of the bootstrap objects. */
type BootstrapOptions = OptionSlice<'endpointReconcilerType'>;

export interface ClusterOptions {
  readonly configuration: Configuration<BootstrapOptions>;
  readonly registry: Registry;
  readonly authorization: Authorization;
  readonly identity: Awaited<ReturnType<typeof createIdentity>>;
  readonly server: ServerIdentity;
  /** The port of the server. */
  readonly port: number;
  /** Whether other servers may use the store. */
  readonly shared: boolean;
  readonly logger: Logger;
}

/** The Service through which pods reach the servers. */
export function clusterService(
  { serviceRanges, advertiseAddress }: Pick<Configuration, 'serviceRanges' | 'advertiseAddress'>,
  port: number,
): ClusterService {
  const range = serviceRanges[0]!;
  return { clusterIP: addressAt(range, 1), family: familyName(range.address), advertiseAddress, port };
}

/** Creates the objects of every cluster, as configured by the flags. */
export async function bootstrapCluster(options: ClusterOptions): Promise<void> {
  const { configuration, registry, authorization, identity, server, port, shared, logger } = options;
  const { values } = configuration;
  const replaced = await bootstrap({
    registry,
    now: Date.now(),
    uid: randomUUID,
    rbac: authorization.escalation !== undefined,
    authenticationData: identity.authenticationData(),
    service: clusterService(configuration, port),
    // Servers that share a store publish the addresses of all of them.
    publishEndpoints: values.endpointReconcilerType !== 'none' && !shared,
    identity: server,
  });
  for (const key of replaced) logger.warn('recreated corrupt bootstrap object', { key });
}
