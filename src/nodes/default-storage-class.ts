import { DEFAULT_STORAGE_CLASS_ANNOTATIONS } from '../model/annotations.ts';
import type { StorageClass } from '../model/generated/storage-v1.ts';
import type { Client } from '../reconcile/client.ts';
import { STORAGE_CLASSES } from '../reconcile/resources.ts';
import { ignoreSettledErrors } from '../reconcile/settled-errors.ts';
import { SIMULATED_PROVISIONER } from '../reconcile/volumes/annotations.ts';

/** Creates the default storage class of a cluster that has no class. Its volumes are simulated. */
export async function createDefaultStorageClass(client: Client, name: string): Promise<void> {
  const { items } = await client.list(STORAGE_CLASSES);
  if (items.length > 0) return;
  const storageClass: StorageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { [DEFAULT_STORAGE_CLASS_ANNOTATIONS[0]]: 'true' } },
    provisioner: SIMULATED_PROVISIONER,
  };
  await ignoreSettledErrors(client.create(STORAGE_CLASSES, storageClass));
}
