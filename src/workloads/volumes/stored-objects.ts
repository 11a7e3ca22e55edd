import { DEFAULT_STORAGE_CLASS_ANNOTATIONS } from '../../model/annotations.ts';
import { newestDefaultClass } from '../../model/default-class.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import type { IndexedSource, ObjectIndex } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isFinished } from '../../reconcile/pods/pod-state.ts';
import { CLAIMS, PODS, STORAGE_CLASSES, VOLUMES } from '../../reconcile/resources.ts';
import { annotationOf, BIND_COMPLETED, storageClassOf } from '../../reconcile/volumes/annotations.ts';
import { PODS_BY_CLAIM } from '../../reconcile/volumes/pod-claims.ts';
import type { ClaimView } from './claim-plan.ts';

/** Volumes by the claim that they name. */
const BY_CLAIM: ObjectIndex = (object) => {
  const { claimRef } = (object.peek() as PersistentVolume).spec ?? {};
  return claimRef === undefined ? [] : [`${claimRef.namespace}/${claimRef.name}`];
};

/** Volumes that any claim may get, by class. */
const FREE_BY_CLASS: ObjectIndex = (object) => {
  const volume = object.peek() as PersistentVolume;
  const isFree = volume.spec?.claimRef === undefined && volume.status?.phase === 'Available';
  return isFree && isManaged(volume.metadata ?? {}) ? [storageClassOf(volume)] : [];
};

/** Claims that are not bound and name no volume, by class. */
const PENDING_BY_CLASS: ObjectIndex = (object) => {
  const claim = object.peek() as PersistentVolumeClaim;
  return isBound(claim) || volumesOf(claim).length > 0 ? [] : [storageClassOf(claim)];
};

/** Claims by the volume that they name. */
const BY_VOLUME: ObjectIndex = (object) => volumesOf(object.peek() as PersistentVolumeClaim);

const volumesOf = ({ spec }: PersistentVolumeClaim): readonly string[] =>
  [spec?.volumeName ?? ''].filter((name) => name !== '');

const isBound = ({ metadata }: PersistentVolumeClaim): boolean =>
  annotationOf(metadata, BIND_COMPLETED) !== undefined;

const keyOf = ({ metadata }: PersistentVolumeClaim): string => `${metadata?.namespace}/${metadata?.name}`;

/** The claims, volumes, classes and pods of this server. */
export class StoredObjects implements ClaimView {
  readonly claims: IndexedSource;
  readonly volumes: IndexedSource;
  readonly classes: IndexedSource;
  readonly pods: IndexedSource;

  constructor({ objects }: Pick<NamedContext, 'objects'>) {
    this.claims = objects(CLAIMS);
    this.volumes = objects(VOLUMES);
    this.classes = objects(STORAGE_CLASSES);
    this.pods = objects(PODS);
  }

  claim(key: string): PersistentVolumeClaim | undefined {
    return this.claims.get(key) as PersistentVolumeClaim | undefined;
  }

  volume(name: string): PersistentVolume | undefined {
    return this.volumes.get(name) as PersistentVolume | undefined;
  }

  *candidates(claim: PersistentVolumeClaim): Generator<PersistentVolume, void> {
    for (const [, { object }] of this.volumes.find(BY_CLAIM, keyOf(claim)))
      if (isManaged(object.metadata ?? {})) yield object as PersistentVolume;
    for (const [, { object }] of this.volumes.find(FREE_BY_CLASS, storageClassOf(claim)))
      yield object as PersistentVolume;
  }

  storageClass(name: string): StorageClass | undefined {
    return this.classes.get(name) as StorageClass | undefined;
  }

  defaultClass(): StorageClass | undefined {
    const classes = Array.from(this.classes.entries(), ([, { object }]) => object as StorageClass);
    return newestDefaultClass(classes, ...DEFAULT_STORAGE_CLASS_ANNOTATIONS);
  }

  waitingPods(claim: PersistentVolumeClaim): readonly string[] {
    return this.#usersOf(keyOf(claim))
      .filter(({ spec }) => !spec?.nodeName)
      .map(({ metadata }) => metadata?.name ?? '');
  }

  /** Pods that use the claim that a volume names, `namespace/name`. */
  usersOf({ spec }: PersistentVolume): readonly string[] {
    const { namespace, name } = spec?.claimRef ?? {};
    return this.#usersOf(`${namespace}/${name}`)
      .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)
      .sort();
  }

  /** The claim of the name that a volume has. */
  claimOf({ spec }: PersistentVolume): PersistentVolumeClaim | undefined {
    const { namespace, name } = spec?.claimRef ?? {};
    return this.claim(`${namespace}/${name}`);
  }

  /**
   * Follows the objects. @param claimChanged called with each claim that has to be looked at
   * @param volumeChanged called with each such volume
   */
  follow(claimChanged: (key: string) => void, volumeChanged: (name: string) => void): void {
    const pendingOf = (storageClass: string): void => {
      for (const [key] of this.claims.find(PENDING_BY_CLASS, storageClass)) claimChanged(key);
    };
    this.claims.onChange((key, current) => {
      if (current !== undefined) claimChanged(key);
      else for (const [name] of this.volumes.find(BY_CLAIM, key)) volumeChanged(name);
    });
    this.volumes.onChange((name, current, previous) => {
      if (current !== undefined) volumeChanged(name);
      const [freeClass] = current === undefined ? [] : FREE_BY_CLASS(current);
      const wasFree = previous !== undefined && FREE_BY_CLASS(previous).length > 0;
      if (freeClass !== undefined && !wasFree) pendingOf(freeClass);
      for (const one of [current, previous])
        for (const key of one === undefined ? [] : BY_CLAIM(one)) if (this.claims.has(key)) claimChanged(key);
      for (const [key] of this.claims.find(BY_VOLUME, name)) claimChanged(key);
    });
    this.classes.onChange((name, current) => {
      pendingOf(name);
      if (current !== undefined) pendingOf('');
    });
  }

  #usersOf(claim: string): Pod[] {
    return Array.from(this.pods.find(PODS_BY_CLAIM, claim), ([, { object }]) => object as Pod).filter(
      (pod) => !isFinished(pod),
    );
  }
}
