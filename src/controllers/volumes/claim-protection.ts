import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { CLAIMS, PODS } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { ClaimsInUse, mayUseClaims } from './claims-in-use.ts';
import {
  isDeletionCandidate,
  isUnsettled,
  lacksFinalizer,
  withFinalizer,
  withoutFinalizer,
} from './finalizer.ts';

const FINALIZER = 'kubernetes.io/pvc-protection';

/**
 * Protects terminating claims that pods use. Processes a namespace at a time, so that one list of pods serves
 * all of its claims. Pods are watched once the first claim has to wait.
 */
export function claimProtectionController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const claims = parts.objects(CLAIMS, { selects: isUnsettled(FINALIZER) });
  const pods = parts.objects(PODS, { selects: (pod) => mayUseClaims(pod.peek() as Pod) });
  let watchesPods = false;

  /**
   * The claims that no pod uses. The watch may lag: unused claims are confirmed with a fresh list.
   */
  const unused = async (
    namespace: string,
    candidates: readonly PersistentVolumeClaim[],
  ): Promise<readonly PersistentVolumeClaim[]> => {
    const inUse = new ClaimsInUse();
    for (const [, pod] of pods.entries(namespace)) inUse.add(pod.object as Pod);
    if (candidates.every((claim) => inUse.has(claim))) return [];
    for await (const { items } of client.pages(PODS, { namespace }))
      for (const pod of items) inUse.add(pod as Pod);
    return candidates.filter((claim) => !inUse.has(claim));
  };

  const work = async (namespace: string): Promise<WorkResult> => {
    const claimsInNamespace = Array.from(
      claims.entries(namespace),
      ([, claim]) => claim.object as PersistentVolumeClaim,
    );
    const candidates = claimsInNamespace.filter((claim) => isDeletionCandidate(claim, FINALIZER));
    const released = await unused(namespace, candidates);
    const changed = [
      ...released.map((claim) => withoutFinalizer(claim, FINALIZER)),
      ...claimsInNamespace
        .filter((claim) => lacksFinalizer(claim, FINALIZER))
        .map((claim) => withFinalizer(claim, FINALIZER)),
    ];
    const failures: unknown[] = [];
    for (const claim of changed)
      await ignoreSettledErrors(client.update(CLAIMS, claim)).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    if (watchesPods || released.length === candidates.length) return 'done';
    watchesPods = true;
    pods.start();
    await pods.synced;
    // A pod may have been deleted before the watch started.
    return 'requeue';
  };

  const queue = controllerQueue(parts, name, work);
  claims.onChange((key, claim) => {
    if (claim !== undefined) queue.add(namespaceOf(key));
  });
  pods.onChange((key, _pod, previous) => {
    if (previous !== undefined) queue.add(namespaceOf(key));
  });
  const podsWhenNeeded = { start: () => undefined, synced: Promise.resolve(), stop: () => pods.stop() };
  return { name, sources: [claims, podsWhenNeeded], queue };
}

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));
