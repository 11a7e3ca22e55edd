import { randomUUID } from 'node:crypto';
import { familyName } from '../addresses/address.ts';
import { addressAt } from '../addresses/range.ts';
import { bootstrap } from '../bootstrap/bootstrap.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Registry } from '../registry/registry.ts';
import type { Authorization } from './authorization.ts';
import type { createIdentity } from './identity.ts';
import { type ServerIdentityOptions, serverIdentity } from './open-storage.ts';

/** The options of the bootstrap objects. */
type BootstrapOptions = OptionSlice<'endpointReconcilerType'> & ServerIdentityOptions;

export interface ClusterOptions {
  readonly configuration: Configuration<BootstrapOptions>;
  readonly registry: Registry;
  readonly authorization: Authorization;
  readonly identity: Awaited<ReturnType<typeof createIdentity>>;
  /** The port of the server. */
  readonly port: number;
  readonly logger: Logger;
}

/** Creates the objects of every cluster, as configured by the flags. */
export async function bootstrapCluster(options: ClusterOptions): Promise<void> {
  const { configuration, registry, authorization, identity, port, logger } = options;
  const { values, advertiseAddress } = configuration;
  const range = configuration.serviceRanges[0]!;
  const replaced = await bootstrap({
    registry,
    now: Date.now(),
    uid: randomUUID,
    rbac: authorization.escalation !== undefined,
    authenticationData: identity.authenticationData(),
    service: {
      clusterIP: addressAt(range, 1),
      family: familyName(range.address),
      advertiseAddress,
      port,
    },
    publishEndpoints: values.endpointReconcilerType !== 'none',
    identity: serverIdentity(configuration),
  });
  for (const key of replaced) logger.warn('recreated corrupt bootstrap object', { key });
}
