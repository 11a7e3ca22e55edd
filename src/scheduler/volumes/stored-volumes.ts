import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '../../model/generated/storage-v1.ts';
import type { IndexedSource, ObjectIndex } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import { CLAIMS, STORAGE_CLASSES, VOLUMES } from '../../reconcile/resources.ts';
import { storageClassOf } from '../../reconcile/volumes/annotations.ts';
import { SourceGroup } from '../executor/source-group.ts';
import type { ClusterEvent } from '../queue/cluster-event.ts';
import { ATTACHMENTS, CAPACITIES, CSI_DRIVERS, CSI_NODES } from '../resources.ts';
import type { VolumeView } from './volume-view.ts';

const BY_CLASS: ObjectIndex = (object) => [storageClassOf(object.peek() as PersistentVolume)];
const BY_NODE: ObjectIndex = (object) => [(object.peek() as VolumeAttachment).spec?.nodeName ?? ''];

/** The volumes and claims of this server, and what was decided about them and is not yet written. */
export class StoredVolumes implements VolumeView {
  readonly claims: IndexedSource;
  readonly volumes: IndexedSource;
  readonly #classes: IndexedSource;
  readonly #csiNodes: IndexedSource;
  readonly #csiDrivers: IndexedSource;
  readonly #capacities: IndexedSource;
  readonly #attachments: IndexedSource;
  readonly #assumedClaims = new Map<string, PersistentVolumeClaim>();
  readonly #assumedVolumes = new Map<string, PersistentVolume>();
  readonly group: SourceGroup;

  /** @param happened called with each change */
  constructor({ objects }: Pick<NamedContext, 'objects'>, happened: (event: ClusterEvent) => void) {
    const followed = (resource: Parameters<NamedContext['objects']>[0], kind: ClusterEvent['kind']) => {
      const source = objects(resource);
      source.onChange((key, current, previous) => {
        // What is stored now is newer than what was assumed.
        if (kind === 'claim') this.#assumedClaims.delete(key);
        if (kind === 'volume') this.#assumedVolumes.delete(key);
        if (this.group.isOpen)
          happened({ kind, before: previous?.object, after: current?.object } as ClusterEvent);
      });
      return source;
    };
    this.claims = followed(CLAIMS, 'claim');
    this.volumes = followed(VOLUMES, 'volume');
    this.#classes = followed(STORAGE_CLASSES, 'storageClass');
    this.#csiNodes = followed(CSI_NODES, 'csiNode');
    this.#csiDrivers = followed(CSI_DRIVERS, 'csiDriver');
    this.#capacities = followed(CAPACITIES, 'capacity');
    this.#attachments = followed(ATTACHMENTS, 'attachment');
    this.group = new SourceGroup(
      this.claims,
      this.volumes,
      this.#classes,
      this.#csiNodes,
      this.#csiDrivers,
      this.#capacities,
      this.#attachments,
    );
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    const key = `${namespace}/${name}`;
    return this.#assumedClaims.get(key) ?? (this.claims.get(key) as PersistentVolumeClaim | undefined);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#assumedVolumes.get(name) ?? (this.volumes.get(name) as PersistentVolume | undefined);
  }

  *volumesOfClass(storageClass: string): Generator<PersistentVolume, void> {
    for (const [name, { object }] of this.volumes.find(BY_CLASS, storageClass))
      yield this.#assumedVolumes.get(name) ?? (object as PersistentVolume);
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#classes.get(name) as StorageClass | undefined;
  }

  csiNode(name: string): CSINode | undefined {
    return this.#csiNodes.get(name) as CSINode | undefined;
  }

  csiDriver(name: string): CSIDriver | undefined {
    return this.#csiDrivers.get(name) as CSIDriver | undefined;
  }

  *capacities(): Generator<CSIStorageCapacity, void> {
    for (const [, { object }] of this.#capacities.entries()) yield object as CSIStorageCapacity;
  }

  *attachmentsOf(node: string): Generator<VolumeAttachment, void> {
    for (const [, { object }] of this.#attachments.find(BY_NODE, node)) yield object as VolumeAttachment;
  }

  assumeClaim(claim: PersistentVolumeClaim): void {
    this.#assumedClaims.set(`${claim.metadata?.namespace}/${claim.metadata?.name}`, claim);
  }

  assumeVolume(volume: PersistentVolume): void {
    this.#assumedVolumes.set(volume.metadata?.name ?? '', volume);
  }

  /** What was assumed is not true any more. */
  forgetClaim({ metadata }: PersistentVolumeClaim): void {
    this.#assumedClaims.delete(`${metadata?.namespace}/${metadata?.name}`);
  }

  forgetVolume({ metadata }: PersistentVolume): void {
    this.#assumedVolumes.delete(metadata?.name ?? '');
  }
}
