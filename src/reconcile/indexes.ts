import type { Pod } from '../model/generated/core-v1.ts';
import type { ObjectMeta, OwnerReference } from '../model/object.ts';
import type { ObjectIndex } from '../reader/object-source.ts';

/** The owner that controls an object. */
export const controllerOf = ({ ownerReferences = [] }: ObjectMeta): OwnerReference | undefined =>
  ownerReferences.find(({ controller }) => controller === true);

/** Objects by the uid of the owner that controls them. */
export const BY_CONTROLLER: ObjectIndex = (object) => {
  const owner = controllerOf(object.metadata());
  return owner === undefined ? [] : [owner.uid];
};

/** Objects that no owner controls, by namespace: those that a controller may adopt. */
export const ORPHANS: ObjectIndex = (object) => {
  const metadata = object.metadata();
  return controllerOf(metadata) === undefined ? [metadata.namespace ?? ''] : [];
};

/** Pods by the node that they are bound to. */
export const BY_NODE: ObjectIndex = (object) => {
  const { nodeName = '' } = (object.peek() as Pod).spec ?? {};
  return nodeName === '' ? [] : [nodeName];
};
