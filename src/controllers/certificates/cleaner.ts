import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import { type Controller, type ControllerContext, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { ignoreSettledErrors } from '../service-accounts.ts';
import { SIGNING_REQUESTS } from './requested.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds that a request is kept after it was decided. */
const DECIDED: Readonly<Record<string, number>> = { Approved: HOUR, Denied: HOUR, Failed: HOUR };
/** Longest time that a timer is set to: it counts in 32 bits. */
const LONGEST_WAIT = DAY;

/** Removes certificate requests that are over, each when its time has come. */
export function cleanerController(parts: ControllerContext): Controller {
  const name = 'certificatesigningrequest-cleaner-controller';
  const client = parts.client(controllerUser('certificate-controller'));
  const requests = parts.informer(SIGNING_REQUESTS);
  const alarms = new Map<string, () => void>();
  const queue = controllerQueue(parts, name, async (key) => {
    alarms.get(key)?.();
    alarms.delete(key);
    const request = requests.objects.get(key) as CertificateSigningRequest | undefined;
    if (request === undefined) return 'done';
    const left = endOf(request) - parts.clock.now();
    if (left <= 0)
      await ignoreSettledErrors(
        client.delete(SIGNING_REQUESTS, '', key, { preconditions: { uid: request.metadata?.uid } }),
      );
    else
      alarms.set(
        key,
        parts.clock.after(Math.min(left, LONGEST_WAIT), () => queue.add(key)),
      );
    return 'done';
  });
  requests.onChange((key) => queue.add(key));
  const alarm = {
    start: () => undefined,
    synced: Promise.resolve(),
    async stop() {
      for (const cancel of alarms.values()) cancel();
    },
  };
  return { name, sources: [requests, alarm], queue };
}

/**
 * When a request is over, in milliseconds since the epoch: a day without a decision, an hour after one that
 * is final.
 */
function endOf({ metadata, status }: CertificateSigningRequest): number {
  const conditions = status?.conditions ?? [];
  const ends = conditions
    .filter(
      ({ type = '' }) =>
        Object.hasOwn(DECIDED, type) && (type !== 'Approved' || Boolean(status?.certificate)),
    )
    .map(
      ({ type = '', lastUpdateTime, lastTransitionTime }) =>
        Date.parse(lastUpdateTime ?? lastTransitionTime ?? '') + DECIDED[type]!,
    )
    .filter((end) => !Number.isNaN(end));
  if (ends.length > 0) return Math.min(...ends);
  // Approved and not signed: its signer may be somebody else, who is given the time of an undecided one.
  return Date.parse(metadata?.creationTimestamp ?? '') + DAY;
}
