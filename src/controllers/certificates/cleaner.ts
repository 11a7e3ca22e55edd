import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { ExpiryTimers } from '../../reconcile/expiry-timers.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { SIGNING_REQUESTS } from './requested.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Retention after a decision, milliseconds. */
const RETENTION: Readonly<Record<string, number>> = { Approved: HOUR, Denied: HOUR, Failed: HOUR };

/** Deletes expired certificate signing requests. */
export function cleanerController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const requests = parts.objects(SIGNING_REQUESTS);
  const timers = new ExpiryTimers(parts.clusterClock);
  const queue = controllerQueue(parts, name, async (key) => {
    timers.clear(key);
    const request = requests.get(key) as CertificateSigningRequest | undefined;
    if (request === undefined) return 'done';
    const left = expiryOf(request) - parts.clusterClock.now();
    if (left <= 0)
      await ignoreSettledErrors(
        client.delete(SIGNING_REQUESTS, '', key, { preconditions: { uid: request.metadata?.uid } }),
      );
    else timers.set(key, left, () => queue.add(key));
    return 'done';
  });
  requests.onChange((key) => queue.add(key));
  return { name, sources: [requests, timers], queue };
}

/**
 * Expiry of a request, milliseconds since the epoch: a day after creation without a decision, an hour after a
 * final one.
 */
function expiryOf({ metadata, status }: CertificateSigningRequest): number {
  const conditions = status?.conditions ?? [];
  const ends = conditions
    .filter(
      ({ type = '' }) =>
        Object.hasOwn(RETENTION, type) && (type !== 'Approved' || Boolean(status?.certificate)),
    )
    .map(
      ({ type = '', lastUpdateTime, lastTransitionTime }) =>
        Date.parse(lastUpdateTime ?? lastTransitionTime ?? '') + RETENTION[type]!,
    )
    .filter((end) => !Number.isNaN(end));
  if (ends.length > 0) return Math.min(...ends);
  // Approved but not signed: an external signer has as long as for an undecided request.
  return Date.parse(metadata?.creationTimestamp ?? '') + DAY;
}
