import type { Node } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { NODES } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { ClaimReconciler } from './claims.ts';
import type { VolumeSettings } from './settings.ts';
import { StoredObjects } from './stored-objects.ts';
import { VolumeReconciler } from './volumes.ts';
import { VolumeWriter } from './writer.ts';

/** Prefixes of keys. */
const CLAIM = 'claim:';
const VOLUME = 'volume:';

/** One object at a time, as in the reference: two claims must not get one volume. */
const WORKERS = 1;

/**
 * Binds volumes and claims to each other, has volumes made for claims of storage classes, and reclaims the volumes of
 * claims that are gone.
 */
export function volumeController(parts: NamedContext, settings: VolumeSettings): Controller {
  const stored = new StoredObjects(parts);
  const nodes = settings.simulates ? parts.objects(NODES) : undefined;
  const writer = new VolumeWriter(parts.client(parts.user), parts.events('persistentvolume-controller'));
  const claims = new ClaimReconciler({
    stored,
    writer,
    settings,
    node: (name) => selectable(nodes?.get(name)),
  });
  const volumes = new VolumeReconciler({
    stored,
    writer,
    settings,
    bindClaim: (key) => queue.add(CLAIM + key),
  });
  const writes = new OwnWrites([stored.claims, stored.volumes]);
  const reconcile = async (key: string): Promise<WorkResult> => {
    const again = key.startsWith(CLAIM)
      ? await claims.reconcile(key.slice(CLAIM.length))
      : await volumes.reconcile(key.slice(VOLUME.length));
    if (again) queue.addAfter(key, settings.syncPeriod);
    return 'done';
  };
  const queue: WorkQueue = workloadQueue(parts, (key) => writes.follow(key, () => reconcile(key)), WORKERS);
  stored.follow(
    (key) => queue.add(CLAIM + key),
    (name) => queue.add(VOLUME + name),
  );
  const { claims: claimSource, volumes: volumeSource, classes, pods } = stored;
  const sources = [claimSource, volumeSource, classes, pods, ...(nodes === undefined ? [] : [nodes])];
  return { name: parts.name, sources, queue };
}

const selectable = (node: Node | undefined): SelectableNode | undefined =>
  node && { name: node.metadata?.name ?? '', labels: node.metadata?.labels ?? {} };
