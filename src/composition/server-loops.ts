import { parseAddress } from '../addresses/address.ts';
import { isLoopback } from '../addresses/special.ts';
import type { NoteTokenUse } from '../authentication/service-account/index.ts';
import type { ServerIdentity } from '../bootstrap/identity-lease.ts';
import type { RunningControllers } from '../controllers/manager.ts';
import { SECRETS } from '../controllers/tokens/secrets.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { Client } from '../reconcile/client.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import { ControllerLeadership } from '../replicas/controller-leadership.ts';
import { maintainIdentityLease } from '../replicas/identity-lease.ts';
import { maintainKubernetesService } from '../replicas/kubernetes-service.ts';
import { MasterLeases } from '../replicas/master-leases.ts';
import { PROGRAM_NAMESPACE } from '../replicas/program-lease.ts';
import {
  countedAddresses,
  leasedAddresses,
  type ServerAddresses,
  singleAddress,
} from '../replicas/server-addresses.ts';
import type { ServiceRanges } from '../replicas/service-ranges.ts';
import { watchLease } from '../replicas/watch-lease.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import { clusterService, type ServicePortOptions } from './bootstrap-cluster.ts';
import { type InProcessParts, inProcessSender } from './in-process-sender.ts';

/** Bounds of one request of a lease: a leader must notice in time that it cannot renew. */
const LEASE_BOUNDS = { milliseconds: 5000, bytes: 1 << 20 };

/** The options of the server's own loops. */
type ServerLoopOptions = OptionSlice<'apiserverCount' | 'endpointReconcilerType'> & ServicePortOptions;

export interface ServerLoopParts extends InProcessParts {
  readonly configuration: Configuration<ServerLoopOptions>;
  readonly storage: Storage;
  readonly clusterClock: ClusterClock;
  /** Whether other servers may use the store. */
  readonly shared: boolean;
  readonly identity: ServerIdentity;
  readonly serviceRanges: ServiceRanges;
  readonly serviceAccounts: { noteUsesBy(listener: NoteTokenUse): void };
  /** Undefined when no optional controller is selected. */
  readonly controllers: RunningControllers | undefined;
  readonly port: number;
  /** The cluster is not the first one of its server: it keeps what its template has of the server. */
  readonly isFurther: boolean;
  readonly logger: Logger;
}

/**
 * Starts the loops by which a server appears in its cluster, agrees with other servers on the same store,
 * and runs the optional controllers. The first ones to stop are the controllers.
 */
export function runServerLoops(parts: ServerLoopParts): { stop(): Promise<void> } {
  const { configuration, clusterClock, storage, shared, identity, serviceRanges, controllers, port, logger } =
    parts;
  const clock = processClock;
  const client = new Client(
    inProcessSender(parts)(API_SERVER),
    `kube-apiserver/${configuration.scheme.release.gitVersion}`,
  );
  parts.serviceAccounts.noteUsesBy(labelUsedTokens(client, logger));
  const leaseClient = client.bounded(LEASE_BOUNDS);
  // A further cluster is idle while nobody uses it.
  const loops = parts.isFurther
    ? []
    : [
        serviceRanges.start(client, shared),
        maintainIdentityLease({ client, identity, clock, clusterClock, logger }),
        maintainKubernetesService({
          client,
          service: clusterService(configuration, port),
          addresses: serverAddresses(parts),
          clock,
          logger,
        }),
      ];
  const leadership =
    controllers &&
    new ControllerLeadership({
      client: leaseClient,
      controllers,
      programs: controllers.programs,
      watchLease: (name, listener) =>
        watchLease(storage, clock, { namespace: PROGRAM_NAMESPACE, name }, listener),
      identity: identity.holder,
      shared,
      clock,
      clusterClock,
      logger,
    });
  leadership?.start();
  return {
    async stop() {
      await leadership?.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Labels the secrets of legacy tokens with the day of their use; one request per secret at a time. */
export function labelUsedTokens(client: Pick<Client, 'patch'>, logger: Logger): NoteTokenUse {
  const pending = new Set<string>();
  return ({ namespace, name, uid }, date) => {
    const key = `${namespace}/${name}`;
    if (pending.has(key)) return;
    pending.add(key);
    const labels = { 'kubernetes.io/legacy-token-last-used': date };
    client
      .patch(SECRETS, namespace, name, { metadata: { uid, labels } })
      .catch((error: Error) =>
        logger.warn('the last use of a legacy token could not be noted', { secret: key, err: error.message }),
      )
      .finally(() => pending.delete(key));
  };
}

/** Returns undefined if this server publishes no Endpoints. */
function serverAddresses({
  configuration: { values, advertiseAddress },
  storage,
  shared,
  logger,
}: ServerLoopParts): ServerAddresses | undefined {
  if (values.endpointReconcilerType === 'none') return undefined;
  if (!shared) return singleAddress(advertiseAddress);
  if (isLoopback(parseAddress(advertiseAddress)!)) {
    logger.warn(
      'the advertise address is a loopback address, which other servers and nodes cannot reach; the Endpoints of the kubernetes service are not published',
      { advertiseAddress },
    );
    return undefined;
  }
  return values.endpointReconcilerType === 'lease'
    ? leasedAddresses(advertiseAddress, new MasterLeases(storage))
    : countedAddresses(advertiseAddress, values.apiserverCount);
}
