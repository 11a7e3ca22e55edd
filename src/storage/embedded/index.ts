export { DataDirectoryError } from '../../errors/data-directory-error.ts';
export { backupDirectory } from './backup.ts';
export { type EmbeddedStorageOptions, openEmbeddedStorage } from './open.ts';
