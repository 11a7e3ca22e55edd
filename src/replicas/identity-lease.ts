import {
  IDENTITY_NAMESPACE,
  IDENTITY_SELECTOR,
  identityLease,
  type ServerIdentity,
} from '../bootstrap/identity-lease.ts';
import type { LeaseSpec } from '../model/generated/coordination-v1.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import { LEASES } from '../reconcile/resources.ts';
import { ApiError } from '../status/index.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { runPeriodically } from './periodic.ts';

/** kube-apiserver's values, in milliseconds. */
const RENEWAL_INTERVAL = 10_000;
const COLLECTION_INTERVAL = 3600_000;
/** Attempts of one renewal while other servers write the lease too. */
const MAXIMUM_ATTEMPTS = 5;

export interface IdentityLeaseOptions {
  readonly client: Client;
  readonly identity: ServerIdentity;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The times of leases. */
  readonly clusterClock: Pick<ClusterClock, 'now' | 'onJump'>;
  readonly logger: Logger;
}

/** Renews the identity lease of this server, and removes those of servers that are gone. */
export function maintainIdentityLease(options: IdentityLeaseOptions): { stop(): Promise<void> } {
  const { clock, clusterClock, logger } = options;
  const renewal = runPeriodically({
    clock,
    interval: RENEWAL_INTERVAL,
    run: () => renew(options),
    onError: (error) => logger.warn('failed to renew the identity lease', { err: error.message }),
  });
  const collection = runPeriodically({
    clock,
    interval: COLLECTION_INTERVAL,
    run: () => removeExpired(options),
    onError: (error) => logger.warn('failed to remove expired identity leases', { err: error.message }),
  });
  // The time of the cluster may have passed the end of leases between two runs.
  const stopListening = clusterClock.onJump(() => {
    renewal.runSoon();
    collection.runSoon();
  });
  return {
    async stop() {
      stopListening();
      await Promise.all([renewal.stop(), collection.stop()]);
    },
  };
}

/** Another server of this machine may write the lease at the same time: then it is read again. */
async function renew({ client, identity, clusterClock }: IdentityLeaseOptions): Promise<void> {
  const lease = identityLease(identity, clusterClock.now());
  for (let attempt = 1; ; attempt += 1) {
    const stored = await client.get(LEASES, IDENTITY_NAMESPACE, identity.name);
    try {
      if (stored === undefined) await client.create(LEASES, lease);
      else
        await client.update(LEASES, {
          ...stored,
          spec: { ...(stored.spec as object), ...(lease.spec as object) },
        });
      return;
    } catch (error) {
      if (attempt === MAXIMUM_ATTEMPTS || !(error instanceof ApiError && error.code === 409)) throw error;
    }
  }
}

async function removeExpired({ client, identity, clusterClock }: IdentityLeaseOptions): Promise<void> {
  const { items } = await client.list(LEASES, {
    namespace: IDENTITY_NAMESPACE,
    labelSelector: IDENTITY_SELECTOR,
  });
  for (const { metadata = {}, spec } of items) {
    const { name = '', uid, resourceVersion } = metadata;
    // The own one is renewed.
    if (name === identity.name || !isExpired(spec as LeaseSpec | undefined, clusterClock.now())) continue;
    await client.delete(LEASES, IDENTITY_NAMESPACE, name, { preconditions: { uid, resourceVersion } });
  }
}

/** Whether a lease has ended by the wall clock of its holder; one without its times never began. */
export function isExpired({ renewTime, leaseDurationSeconds }: LeaseSpec = {}, now: number): boolean {
  if (renewTime === undefined || leaseDurationSeconds === undefined) return true;
  return Date.parse(renewTime) + leaseDurationSeconds * 1000 < now;
}
