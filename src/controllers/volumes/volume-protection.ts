import type { PersistentVolume } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { VOLUMES } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { isUnsettled, lacksFinalizer, withFinalizer, withoutFinalizer } from './finalizer.ts';

const FINALIZER = 'kubernetes.io/pv-protection';

/** Protects terminating volumes that are bound to a claim. */
export function volumeProtectionController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const volumes = parts.objects(VOLUMES, { selects: isUnsettled(FINALIZER) });
  const queue = controllerQueue(parts, name, async (key) => {
    const volume = volumes.get(key) as PersistentVolume | undefined;
    if (volume === undefined) return 'done';
    if (lacksFinalizer(volume, FINALIZER))
      await ignoreSettledErrors(client.update(VOLUMES, withFinalizer(volume, FINALIZER)));
    else if (volume.status?.phase !== 'Bound')
      await ignoreSettledErrors(client.update(VOLUMES, withoutFinalizer(volume, FINALIZER)));
    return 'done';
  });
  volumes.onChange((key, volume) => {
    if (volume !== undefined) queue.add(key);
  });
  return { name, sources: [volumes], queue };
}
