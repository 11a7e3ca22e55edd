export { openEtcdStorage } from './open.ts';
