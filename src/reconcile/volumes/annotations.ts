import { STORAGE_CLASS_ANNOTATION } from '../../model/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';

/** The provisioner of storage classes whose volumes are simulated; also a name of a CSI driver. */
export const SIMULATED_PROVISIONER = 'volumes.sim.binnacle.dev';

/** On a claim: its binding was completed once. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On a volume or claim: a controller chose the other side, and not a user. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
/** On a claim: the node for which a volume is to be made. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On a volume: what made it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** The value of an annotation; undefined if it is absent. */
export function annotationOf(metadata: ObjectMeta | undefined, name: string): string | undefined {
  const annotations = metadata?.annotations ?? {};
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** A copy of an object with the given annotations; those that are undefined are taken away. */
export function withAnnotations<Object extends { metadata?: ObjectMeta }>(
  object: Object,
  changed: Readonly<Record<string, string | undefined>>,
): Object {
  const annotations = Object.entries({ ...object.metadata?.annotations, ...changed }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(annotations) } };
}

/** Whether a claim says which storage class it wants, also with an empty name: none. */
export const namesStorageClass = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  annotationOf(metadata, STORAGE_CLASS_ANNOTATION) !== undefined || spec?.storageClassName !== undefined;

/** The storage class that a claim or volume names; empty without one. */
export const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string =>
  annotationOf(metadata, STORAGE_CLASS_ANNOTATION) ?? spec?.storageClassName ?? '';
