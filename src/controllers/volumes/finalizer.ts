import type { KubernetesObject } from '../../model/object.ts';

const isDeleting = ({ metadata }: KubernetesObject): boolean => metadata?.deletionTimestamp !== undefined;
const hasFinalizer = ({ metadata }: KubernetesObject, finalizer: string): boolean =>
  metadata?.finalizers?.includes(finalizer) ?? false;

/** The object is being deleted, and the finalizer keeps it. */
export const isDeletionCandidate = (object: KubernetesObject, finalizer: string): boolean =>
  isDeleting(object) && hasFinalizer(object, finalizer);

/** The object was created while no admission plugin added the finalizer. */
export const lacksFinalizer = (object: KubernetesObject, finalizer: string): boolean =>
  !isDeleting(object) && !hasFinalizer(object, finalizer);

/** A copy with the finalizer. */
export const withFinalizer = (object: KubernetesObject, finalizer: string): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, finalizers: [...(object.metadata?.finalizers ?? []), finalizer] },
});

/** A copy without the finalizer. */
export const withoutFinalizer = (object: KubernetesObject, finalizer: string): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    finalizers: (object.metadata?.finalizers ?? []).filter((one) => one !== finalizer),
  },
});
