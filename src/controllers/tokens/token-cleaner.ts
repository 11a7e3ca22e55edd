import { type Controller, type ControllerContext, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { ignoreSettledErrors } from '../service-accounts.ts';
import { BOOTSTRAP_TOKEN, expirationOf, SECRETS, SYSTEM_NAMESPACE } from './secrets.ts';

/** Maximum delay of one timer: timers count in 32 bits. */
const MAXIMUM_DELAY = 86_400_000;

/** Deletes expired bootstrap tokens. */
export function tokenCleanerController(parts: ControllerContext): Controller {
  const name = 'token-cleaner-controller';
  const client = parts.client(controllerUser('token-cleaner'));
  const secrets = parts.selectedInformer(SECRETS, `type=${BOOTSTRAP_TOKEN}`);
  const timers = new Map<string, () => void>();
  const queue = controllerQueue(parts, name, async (key) => {
    timers.get(key)?.();
    timers.delete(key);
    const secret = secrets.objects.get(key);
    const [namespace, secretName] = key.split('/') as [string, string];
    if (secret === undefined || namespace !== SYSTEM_NAMESPACE) return 'done';
    const left = expirationOf(secret) - parts.clock.now();
    if (left <= 0)
      await ignoreSettledErrors(
        client.delete(SECRETS, namespace, secretName, { preconditions: { uid: secret.metadata?.uid } }),
      );
    else if (left < Number.POSITIVE_INFINITY)
      timers.set(
        key,
        parts.clock.after(Math.min(left, MAXIMUM_DELAY), () => queue.add(key)),
      );
    return 'done';
  });
  secrets.onChange((key) => queue.add(key));
  const timerSource = {
    start: () => undefined,
    synced: Promise.resolve(),
    async stop() {
      for (const cancel of timers.values()) cancel();
    },
  };
  return { name, sources: [secrets, timerSource], queue };
}
