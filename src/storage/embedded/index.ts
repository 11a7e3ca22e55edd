export { backupDirectory } from './backup.ts';
export { DataDirectoryError } from './data-directory-error.ts';
export { type EmbeddedStorageOptions, openEmbeddedStorage } from './open.ts';
