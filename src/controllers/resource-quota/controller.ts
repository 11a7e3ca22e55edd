import { isDeepStrictEqual } from 'node:util';
import type { ResourceQuota } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { Quantity } from '../../model/quantity.ts';
import { addResources, count, mask, toResources, toTexts } from '../../model/resource-list.ts';
import { type CountedKind, countedKind, kindKey } from '../../quota/counted.ts';
import type { UsageConditions } from '../../quota/pods.ts';
import { matchesScopes, usageOf } from '../../quota/usage.ts';
import type { Resource } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { Pace } from '../../steps/pace.ts';
import { runInBackground } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { pause } from '../../time/pause.ts';
import type { RemoteKinds } from '../remote-kinds.ts';
import {
  type CountableKinds,
  CountedObjects,
  type CountedObjectsOfKind,
  kindsOf,
} from './counted-objects.ts';
import { QuotasByKind } from './quotas-by-kind.ts';

const QUOTAS: Resource = { group: '', version: 'v1', resource: 'resourcequotas', kind: 'ResourceQuota' };
/**
 * Milliseconds between reading a quota and counting: earlier charges are then stored or abandoned. A charge
 * in between changes the quota, and the status update conflicts.
 */
const SETTLING_MILLISECONDS = 500;

/**
 * Recalculates the usage in quota status: initially, when limits change, and when usage decreases. Increases
 * are charged at admission.
 * @param resizesPods whether pods can be resized: the resources in their status count too
 */
export function resourceQuotaController(
  parts: NamedContext,
  countable: CountableKinds,
  remoteKinds: RemoteKinds,
  resizesPods: boolean,
): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const quotas = parts.objects(QUOTAS);
  const byKind = new QuotasByKind();
  const counted = new CountedObjects(parts, countable, remoteKinds, (kind, namespace) => {
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    for (const key of byKind.of(kind)) if (key.startsWith(prefix)) queue.add(key);
  });
  const queue = controllerQueue(parts, name, async (key) => {
    const quota = quotas.get(key) as ResourceQuota | undefined;
    if (quota === undefined) return 'done';
    const namespace = key.slice(0, key.indexOf('/'));
    const hard = toResources(quota.spec?.hard);
    const kinds = kindsOf(hard.keys());
    for (const kind of kinds) await counted.follow(kind);
    await Promise.race([pause(SETTLING_MILLISECONDS, parts.clock), counted.ended]);
    if (counted.stopped) return 'done';
    let used: Map<string, Quantity> = new Map([...hard.keys()].map((resource) => [resource, count(0)]));
    const conditions = { now: parts.clusterClock.now(), countsStatus: resizesPods };
    for (const kind of kinds) {
      const objects = await counted.of(kind, namespace);
      if (objects === undefined) keepUse(used, quota, kind);
      else used = await runInBackground(addUsages(used, hard, usages(quota, kind, objects, conditions)));
    }
    const status = { hard: toTexts(hard), used: toTexts(used) };
    if (!isDeepStrictEqual(status, plainStatus(quota)))
      await client.update(QUOTAS, { ...quota, status } as KubernetesObject, { subresource: 'status' });
    return 'done';
  });
  quotas.onChange((key, object, previous) => {
    const unused = byKind.remove(key, countedBy(previous?.object));
    byKind.add(key, countedBy(object?.object));
    for (const kind of unused) if (byKind.of(kind).size === 0) counted.release(kind);
    if (object !== undefined && isOutdated(object.object as ResourceQuota)) queue.add(key);
  });
  // A watch uses the version that was served at its start: start it again when the kind changes.
  const countAgain = (kinds: readonly CountedKind[]): void => {
    for (const kind of kinds) {
      counted.release(kind);
      for (const key of byKind.of(kind)) queue.add(key);
    }
  };
  const unsubscribe = countable.onChange(countAgain);
  const unsubscribeRemote = counted.onRemoteKinds(() =>
    countAgain(byKind.kinds.filter((kind) => counted.isOutdated(kind))),
  );
  void counted.ended.then(() => {
    unsubscribe();
    unsubscribeRemote();
  });
  return { name, sources: [quotas, counted], queue };
}

const countedBy = (quota: KubernetesObject | undefined): readonly CountedKind[] =>
  quota === undefined ? [] : kindsOf(Object.keys((quota as ResourceQuota).spec?.hard ?? {}));

/** Keeps the recorded use of a kind whose objects cannot be counted at present. */
function keepUse(used: Map<string, Quantity>, { status }: ResourceQuota, kind: CountedKind): void {
  const before = toResources(status?.used);
  for (const name of [...used.keys()]) {
    if (kindKey(countedKind(name)) !== kindKey(kind)) continue;
    const known = before.get(name);
    if (known === undefined) used.delete(name);
    else used.set(name, known);
  }
}

/** Adds the limited resources of usages. */
function* addUsages(
  used: Map<string, Quantity>,
  hard: ReadonlyMap<string, Quantity>,
  added: Iterable<Map<string, Quantity> | undefined>,
): Steps<Map<string, Quantity>> {
  const pace = new Pace(stepSizes.records);
  let sum = used;
  for (const usage of added) {
    if (usage !== undefined) sum = addResources(sum, mask(usage, hard));
    if (pace.isPause()) yield;
  }
  return sum;
}

/**
 * The usages of objects, undefined for one that does not match the scopes of a quota. @param objects their number, if
 * all are alike
 */
function* usages(
  quota: ResourceQuota,
  { group, resource }: CountedKind,
  objects: CountedObjectsOfKind,
  conditions: UsageConditions,
): Generator<Map<string, Quantity> | undefined, void> {
  if (typeof objects !== 'number') {
    for (const [, { object }] of objects)
      yield matchesScopes(quota, group, resource, object)
        ? usageOf(group, resource, object, conditions)
        : undefined;
  } else if (objects > 0 && matchesScopes(quota, group, resource, {})) {
    const names = usageOf(group, resource, {}, conditions).keys();
    yield new Map([...names].map((one) => [one, count(objects)]));
  }
}

const plainStatus = ({ status }: ResourceQuota) => ({
  hard: toTexts(toResources(status?.hard)),
  used: toTexts(toResources(status?.used)),
});

/** Whether the limits in the status differ from the spec. */
function isOutdated({ spec, status }: ResourceQuota): boolean {
  return !isDeepStrictEqual(toTexts(toResources(spec?.hard)), toTexts(toResources(status?.hard)));
}
