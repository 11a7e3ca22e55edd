export { openEtcdStorage } from './open.ts';
export { RoutedStorage } from './routed-storage.ts';
