/** Names the storage class of volumes and claims without `storageClassName`. */
export const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** On a storage class, `true`: it is that of claims that name none. */
export const DEFAULT_STORAGE_CLASS_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const;
