import type { Namespace } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { ExpiryTimers } from '../../reconcile/expiry-timers.ts';
import { NAMESPACES } from '../../reconcile/resources.ts';
import { controllerQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { deletionConditions, mergeConditions } from './conditions.ts';
import { deleteContent, type NamespaceContent } from './content.ts';

const FINALIZER = 'kubernetes';

/**
 * Deletes the content of terminating namespaces, then removes their finalizer.
 * @param delay milliseconds between the deletion of a namespace and that of its content
 */
export function namespaceController(
  parts: NamedContext,
  content: NamespaceContent,
  delay: number,
): Controller {
  const { name } = parts;
  const delayed = new ExpiryTimers(parts.clusterClock);
  const client = parts.client(parts.user);
  const namespaces = parts.objects(NAMESPACES);
  const queue = controllerQueue(parts, name, async (key) => {
    const { metadata } = namespaces.get(key) ?? {};
    return metadata?.deletionTimestamp === undefined
      ? 'done'
      : finish(client, key, content, formatTime(parts.clusterClock.now()));
  });
  namespaces.onChange((key, namespace) => {
    delayed.clear(key);
    if (namespace?.metadata().deletionTimestamp === undefined) return;
    if (delay === 0) queue.add(key);
    else delayed.set(key, delay, () => queue.add(key));
  });
  return { name, sources: [namespaces, delayed], queue };
}

async function finish(
  client: Client,
  name: string,
  content: NamespaceContent,
  now: string,
): Promise<WorkResult> {
  let namespace: Namespace | undefined = await client.get(NAMESPACES, '', name);
  if (namespace?.metadata?.deletionTimestamp === undefined || !hasFinalizer(namespace)) return 'done';
  const deletion = await deleteContent(client, name, content);
  const conditions = mergeConditions(namespace.status?.conditions ?? [], deletionConditions(deletion), now);
  if (conditions !== undefined)
    namespace = await client.update(
      NAMESPACES,
      { ...namespace, status: { ...namespace.status, phase: 'Terminating', conditions } },
      { subresource: 'status' },
    );
  const { remaining, failures, undiscovered } = deletion;
  if (remaining.size > 0 || failures.length > 0 || undiscovered.length > 0) return 'requeue';
  return removeFinalizer(client, namespace);
}

const hasFinalizer = ({ spec }: Namespace): boolean => spec?.finalizers?.includes(FINALIZER) ?? false;

/** Removes the `kubernetes` finalizer; other finalizers stay. */
async function removeFinalizer(client: Client, namespace: Namespace): Promise<WorkResult> {
  const finalizers = namespace.spec?.finalizers?.filter((one) => one !== FINALIZER);
  try {
    await client.update(
      NAMESPACES,
      { ...namespace, spec: { ...namespace.spec, finalizers } },
      { subresource: 'finalize' },
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
  return 'done';
}
