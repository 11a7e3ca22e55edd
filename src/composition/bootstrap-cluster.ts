import { randomUUID } from 'node:crypto';
import { familyName } from '../addresses/address.ts';
import { addressAt } from '../addresses/range.ts';
import { publishAuthenticationData } from '../bootstrap/authentication-data.ts';
import { bootstrap } from '../bootstrap/bootstrap.ts';
import type { ClusterService } from '../bootstrap/cluster-service.ts';
import type { ServerIdentity } from '../bootstrap/identity-lease.ts';
import type { HealthCheck } from '../handlers/endpoints/health.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Resources } from '../resources/resources.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import type { Authorization } from './authorization.ts';
import type { createIdentity } from './identity.ts';
import type { FurtherCluster } from './start/start-context.ts';

/** The options of the Service `kubernetes`. */
export type ServicePortOptions = OptionSlice<'kubernetesServiceNodePort'>;
/** The options of the bootstrap objects. */
type BootstrapOptions = OptionSlice<'endpointReconcilerType'> & ServicePortOptions;

export interface ClusterOptions {
  readonly configuration: Configuration<BootstrapOptions>;
  readonly resources: Resources;
  readonly authorization: Authorization;
  readonly identity: Awaited<ReturnType<typeof createIdentity>>;
  readonly server: ServerIdentity;
  /** The port of the server. */
  readonly port: number;
  /** Whether other servers may use the store. */
  readonly shared: boolean;
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  readonly logger: Logger;
}

/** The Service through which pods reach the servers. */
export function clusterService(
  {
    serviceRanges,
    advertiseAddress,
    values,
  }: Pick<Configuration<ServicePortOptions>, 'serviceRanges' | 'advertiseAddress' | 'values'>,
  port: number,
): ClusterService {
  const range = serviceRanges[0]!;
  return {
    clusterIP: addressAt(range, 1),
    family: familyName(range.address),
    advertiseAddress,
    port,
    nodePort: values.kubernetesServiceNodePort,
  };
}

/** Time between attempts to create or reconcile objects that cannot be read, in milliseconds. */
const RETRY_MILLISECONDS = 10_000;
/** Most unreadable objects that are named at once. */
const MOST_NAMED = 5;

/** The bootstrap objects of a cluster. */
export interface BootstrappedCluster {
  /** Fails while a bootstrap object cannot be read; undefined when all can. */
  readonly check: HealthCheck | undefined;
  /** Names the objects that could not be read at first. */
  readonly problem: Error | undefined;
  stop(): void;
}

/**
 * Creates the objects of every cluster, as configured by the flags. Objects that cannot be read and must not
 * be replaced are retried until they can be.
 */
export async function bootstrapCluster(options: ClusterOptions): Promise<BootstrappedCluster> {
  let problem = await bootstrapOnce(options);
  if (problem === undefined) return { check: undefined, problem, stop: () => undefined };
  const atFirst = problem;
  const { logger } = options;
  let running = false;
  const retry = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      problem = await bootstrapOnce(options);
      if (problem === undefined) stopRetrying();
    } catch (error) {
      logger.warn('failed to reconcile bootstrap objects; retrying', { err: (error as Error).message });
    } finally {
      running = false;
    }
  };
  const stopRetrying = processClock.every(RETRY_MILLISECONDS, () => void retry());
  return {
    check: { name: 'bootstrap-objects', endpoints: ['readyz'], check: () => problem },
    problem: atFirst,
    stop: stopRetrying,
  };
}

/**
 * The objects of every cluster. A store that is a fork of another one has them: only what differs between clusters is
 * written there.
 */
export async function openBootstrapObjects(
  further: FurtherCluster | undefined,
  options: ClusterOptions,
): Promise<BootstrappedCluster> {
  if (further?.isPrepared !== true) return bootstrapCluster(options);
  if (!further.isReadOnly)
    await publishAuthenticationData(options.resources, options.identity.authenticationData());
  return { check: undefined, problem: undefined, stop: () => undefined };
}

/** Returns the error that names objects that cannot be read; undefined when there are none. */
async function bootstrapOnce(options: ClusterOptions): Promise<Error | undefined> {
  const { configuration, resources, authorization, identity, server, port, shared, logger } = options;
  const { values } = configuration;
  const { recreated, unreadable } = await bootstrap({
    resources,
    now: options.now(),
    uid: randomUUID,
    rbac: authorization.escalation !== undefined,
    authenticationData: identity.authenticationData(),
    service: clusterService(configuration, port),
    // Servers that share a store publish the addresses of all of them.
    publishEndpoints: values.endpointReconcilerType !== 'none' && !shared,
    replacesCorrupt: !shared,
    identity: server,
    isOn: configuration.gates.isOn,
  });
  for (const key of recreated) logger.warn('recreated corrupt bootstrap object', { key });
  if (unreadable.length === 0) return undefined;
  const named = unreadable
    .slice(0, MOST_NAMED)
    .map(({ key, message }) => `${JSON.stringify(key)} (${message})`);
  const more = unreadable.length > MOST_NAMED ? ` and ${unreadable.length - MOST_NAMED} more` : '';
  const problem = new Error(
    `bootstrap objects cannot be read and are not replaced: ${named.join(', ')}${more}`,
  );
  logger.error(problem.message, {});
  return problem;
}
