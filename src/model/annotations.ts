/** Names the storage class of volumes and claims without `storageClassName`. */
export const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
