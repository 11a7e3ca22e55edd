import { isDeepStrictEqual } from 'node:util';
import type { ResourceQuota } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { Quantity } from '../../model/quantity.ts';
import { addResources, count, mask, toResources, toTexts } from '../../quota/resource-list.ts';
import { matchesScopes, usageOf } from '../../quota/usage.ts';
import type { Clock } from '../../time/clock.ts';
import type { Resource } from '../client.ts';
import { type Controller, type ControllerContext, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { CountedObjects, type FindResource, kindsOf } from './counted-objects.ts';

const QUOTAS: Resource = { group: '', version: 'v1', resource: 'resourcequotas', kind: 'ResourceQuota' };
/**
 * Milliseconds between reading a quota and counting: earlier charges are then stored or abandoned. A charge
 * in between changes the quota, and the status update conflicts.
 */
const SETTLING_MILLISECONDS = 500;

/**
 * Recalculates the usage in quota status: initially, when limits change, and when usage decreases. Increases
 * are charged at admission.
 */
export function resourceQuotaController(parts: ControllerContext, find: FindResource): Controller {
  const name = 'resourcequota-controller';
  const client = parts.client(controllerUser('resourcequota-controller'));
  const quotas = parts.informer(QUOTAS);
  const counted = new CountedObjects(parts, find, (namespace) => {
    for (const key of quotas.objects.keys()) if (key.startsWith(`${namespace}/`)) queue.add(key);
  });
  const queue = controllerQueue(parts, name, async (key) => {
    const quota = quotas.objects.get(key) as ResourceQuota | undefined;
    if (quota === undefined) return 'done';
    const namespace = key.slice(0, key.indexOf('/'));
    const hard = toResources(quota.spec?.hard);
    const kinds = kindsOf(hard.keys());
    for (const kind of kinds) await counted.of(kind, namespace);
    await Promise.race([pause(parts.clock, SETTLING_MILLISECONDS), counted.ended]);
    if (counted.stopped) return 'done';
    let used: Map<string, Quantity> = new Map([...hard.keys()].map((resource) => [resource, count(0)]));
    for (const { group, resource } of kinds) {
      for (const object of await counted.of({ group, resource }, namespace))
        if (matchesScopes(quota, group, resource, object))
          used = addResources(used, mask(usageOf(group, resource, object, Date.now()), hard));
    }
    const status = { hard: toTexts(hard), used: toTexts(used) };
    if (!isDeepStrictEqual(status, plainStatus(quota)))
      await client.update(QUOTAS, { ...quota, status } as KubernetesObject, { subresource: 'status' });
    return 'done';
  });
  quotas.onChange((key, object) => {
    if (object !== undefined && isOutdated(object as ResourceQuota)) queue.add(key);
  });
  return { name, sources: [quotas, counted], queue };
}

const plainStatus = ({ status }: ResourceQuota) => ({
  hard: toTexts(toResources(status?.hard)),
  used: toTexts(toResources(status?.used)),
});

/** Whether the limits in the status differ from the spec. */
function isOutdated({ spec, status }: ResourceQuota): boolean {
  return !isDeepStrictEqual(toTexts(toResources(spec?.hard)), toTexts(toResources(status?.hard)));
}

const pause = (clock: Pick<Clock, 'now' | 'after'>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
