import { NodeRelations } from '../authorization/node/relations.ts';
import type { PersistentVolume, Pod } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { ReadObject } from '../reader/read-object.ts';
import type { Readers } from '../reader/readers.ts';
import type { Subscription } from '../reader/subscription.ts';

/** Applies the current state of an object; undefined when it was deleted. */
type ChangeHandler = (namespace: string, name: string, object: KubernetesObject | undefined) => void;

/** Keeps the node relations up to date with the store. */
export interface FollowedRelations {
  readonly relations: NodeRelations;
  stop(): void;
}

/**
 * Follows the objects that relate to nodes. Resolves when all stored objects are known.
 * @throws StorageUnavailableError
 */
export async function followNodeRelations(readers: Readers, logger: Logger): Promise<FollowedRelations> {
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
      (_, name, object) => relations.setOwned('volumeattachment', name, nodeOf(object)),
    ],
    [
      'resource.k8s.io',
      'resourceslices',
      (_, name, object) => relations.setOwned('resourceslice', name, nodeOf(object)),
    ],
  ];
  const subscriptions: Subscription[] = [];
  for (const [group, resource, apply] of sources)
    subscriptions.push(
      await readers.follow(group, resource, {
        changed(key, current) {
          const slash = key.indexOf('/');
          apply(
            key.slice(0, Math.max(slash, 0)),
            key.slice(slash + 1),
            current && read(key, current, logger),
          );
        },
      }),
    );
  return {
    relations,
    stop() {
      for (const subscription of subscriptions) subscription.stop();
    },
  };
}

/** A corrupt object grants no node access to anything. */
function read(key: string, object: ReadObject, logger: Logger): KubernetesObject | undefined {
  try {
    return object.peek();
  } catch (error) {
    logger.warn('stored object is corrupt; it grants no access to nodes', {
      key,
      err: (error as Error).message,
    });
    return undefined;
  }
}

const nodeOf = (object: KubernetesObject | undefined): string =>
  (object as { spec?: { nodeName?: string } } | undefined)?.spec?.nodeName ?? '';
