import type { KubernetesObject } from '../../model/object.ts';
import type { SourceObject } from '../../reader/object-source.ts';

const isDeleting = ({ metadata }: KubernetesObject): boolean => metadata?.deletionTimestamp !== undefined;
const hasFinalizer = ({ metadata }: KubernetesObject, finalizer: string): boolean =>
  metadata?.finalizers?.includes(finalizer) ?? false;

/** Whether the object is terminating and has the finalizer. */
export const isDeletionCandidate = (object: KubernetesObject, finalizer: string): boolean =>
  isDeleting(object) && hasFinalizer(object, finalizer);

/** Whether a live object lacks the finalizer: it was created without the admission plugin. */
export const lacksFinalizer = (object: KubernetesObject, finalizer: string): boolean =>
  !isDeleting(object) && !hasFinalizer(object, finalizer);

/** Selects the objects of which one of both is true; decodes no more than their metadata. */
export const isUnsettled =
  (finalizer: string) =>
  (object: SourceObject): boolean => {
    const metadata = { metadata: object.metadata() };
    return isDeletionCandidate(metadata, finalizer) || lacksFinalizer(metadata, finalizer);
  };

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
