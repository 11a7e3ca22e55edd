import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { ExpiryTimers } from '../../reconcile/expiry-timers.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { BOOTSTRAP_TOKEN, expirationOf, SECRETS, SYSTEM_NAMESPACE } from './secrets.ts';

/** Deletes expired bootstrap tokens. */
export function tokenCleanerController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const secrets = parts.objects(SECRETS, { field: ['type', BOOTSTRAP_TOKEN] });
  const timers = new ExpiryTimers(parts.clusterClock);
  const queue = controllerQueue(parts, name, async (key) => {
    timers.clear(key);
    const secret = secrets.get(key);
    const [namespace, secretName] = key.split('/') as [string, string];
    if (secret === undefined || namespace !== SYSTEM_NAMESPACE) return 'done';
    const left = expirationOf(secret) - parts.clusterClock.now();
    if (left <= 0)
      await ignoreSettledErrors(
        client.delete(SECRETS, namespace, secretName, { preconditions: { uid: secret.metadata?.uid } }),
      );
    else if (left < Number.POSITIVE_INFINITY) timers.set(key, left, () => queue.add(key));
    return 'done';
  });
  secrets.onChange((key) => queue.add(key));
  return { name, sources: [secrets, timers], queue };
}
