import { NodeRelations } from '../authorization/node/relations.ts';
import type { CacheRecord } from '../cache/record.ts';
import type { CacheWatch } from '../cache/resource-cache.ts';
import type { PersistentVolume, Pod } from '../model/generated/core-v1.ts';
import type { ResourceSlice } from '../model/generated/resource-v1beta1.ts';
import type { VolumeAttachment } from '../model/generated/storage-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredResource } from '../registry/stored-resource.ts';
import { prefixEnd } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';

/** Applies the current state of an object; undefined when it was deleted. */
type ChangeHandler = (namespace: string, name: string, object: KubernetesObject | undefined) => void;

/** Keeps the node relations up to date with the store. */
export interface NodeRelationsInformer {
  readonly relations: NodeRelations;
  stop(): void;
}

/**
 * Lists the objects that relate to nodes, then watches their changes. Resolves when all stored objects have
 * been listed.
 */
export async function startNodeRelationsInformer(
  registry: Registry,
  logger: Logger,
): Promise<NodeRelationsInformer> {
  const relations = new NodeRelations();
  const sources: readonly (readonly [group: string, resource: string, take: ChangeHandler])[] = [
    [
      '',
      'pods',
      (namespace, name, pod) =>
        pod === undefined ? relations.deletePod(namespace, name) : relations.setPod(pod as Pod),
    ],
    [
      '',
      'persistentvolumes',
      (_, name, volume) =>
        volume === undefined ? relations.deleteVolume(name) : relations.setVolume(volume as PersistentVolume),
    ],
    [
      'storage.k8s.io',
      'volumeattachments',
      (_, name, object) =>
        relations.setOwned(
          'volumeattachment',
          name,
          (object as VolumeAttachment | undefined)?.spec?.nodeName ?? '',
        ),
    ],
    [
      'resource.k8s.io',
      'resourceslices',
      (_, name, object) =>
        relations.setOwned(
          'resourceslice',
          name,
          (object as ResourceSlice | undefined)?.spec?.nodeName ?? '',
        ),
    ],
  ];
  const stops: (() => void)[] = [];
  for (const [group, resource, apply] of sources)
    stops.push(await follow(registry.internal(group, resource).stored, apply, logger));
  return {
    relations,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** Lists the objects, then watches; lists again when the watch ends. */
async function follow(stored: StoredResource, apply: ChangeHandler, logger: Logger): Promise<() => void> {
  /** Object names by key. */
  const known = new Map<string, string>();
  let stopped = false;
  let watch: CacheWatch | undefined;

  const handle = (record: CacheRecord, removed: boolean): void => {
    const namespace = stored.namespaceOf(record.key);
    let object: KubernetesObject | undefined;
    try {
      object = removed ? undefined : stored.decode(record);
    } catch (error) {
      // A corrupt object grants no node access to anything.
      logger.warn('stored object is corrupt; it grants no access to nodes', {
        key: record.key,
        err: (error as Error).message,
      });
    }
    if (object === undefined) known.delete(record.key);
    else known.set(record.key, record.name);
    apply(namespace, record.name, object);
  };
  const list = async (): Promise<void> => {
    await stored.cache.waitFresh(0);
    if (stopped) return;
    const removed = new Map(known);
    stored.cache.current().scan(stored.prefix, prefixEnd(stored.prefix), (record) => {
      removed.delete(record.key);
      handle(record, false);
      return undefined;
    });
    for (const [key, name] of removed) {
      known.delete(key);
      apply(stored.namespaceOf(key), name, undefined);
    }
    watch = stored.cache.watch({ prefix: stored.prefix }, stored.cache.revision, {
      matches: () => true,
      deliver(type, record) {
        handle(record, type === 'DELETED');
        return true;
      },
      drained: () => Promise.resolve(),
      end(error) {
        if (stopped) return;
        if (error !== undefined)
          logger.detail(2, 'watch for node relations ended; relisting', {
            prefix: stored.prefix,
            err: (error as Error).message,
          });
        restart();
      },
    });
  };
  const restart = (): void => {
    processClock.after(RESTART_DELAY_MILLISECONDS, () => void list().catch(restart));
  };
  await list();
  return () => {
    stopped = true;
    watch?.close();
  };
}

const RESTART_DELAY_MILLISECONDS = 100;
