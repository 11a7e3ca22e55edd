export { cleanPrefix } from './keys.ts';
export { connectCluster, openEtcdStorage } from './open.ts';
export { etcdReleaseRecord } from './release-record.ts';
export { RoutedStorage } from './routed-storage.ts';
