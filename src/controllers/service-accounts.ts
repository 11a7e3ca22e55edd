import type { Namespace } from '../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../reconcile/controller.ts';
import { NAMESPACES, SERVICE_ACCOUNTS } from '../reconcile/resources.ts';
import { ignoreSettledErrors } from '../reconcile/settled-errors.ts';
import { workloadQueue } from '../reconcile/work-queue.ts';

const DEFAULT = 'default';

/** Creates the `default` service account in every active namespace. */
export function serviceAccountController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const namespaces = parts.objects(NAMESPACES);
  const accounts = parts.objects(SERVICE_ACCOUNTS, { name: DEFAULT });
  const queue = workloadQueue(parts, async (namespace) => {
    if (!isActive(namespaces.get(namespace)) || accounts.has(`${namespace}/${DEFAULT}`)) return 'done';
    await ignoreSettledErrors(client.create(SERVICE_ACCOUNTS, { metadata: { namespace, name: DEFAULT } }));
    return 'done';
  });
  namespaces.onChange((key, namespace) => {
    if (namespace !== undefined) queue.add(key);
  });
  accounts.onChange((key, account) => {
    if (account === undefined) queue.add(key.slice(0, key.indexOf('/')));
  });
  return { name, sources: [namespaces, accounts], queue };
}

export const isActive = (namespace: Namespace | undefined): boolean =>
  namespace !== undefined &&
  namespace.metadata?.deletionTimestamp === undefined &&
  namespace.status?.phase === 'Active';
