export { EncryptedStorage } from './encrypted-storage.ts';
export { EncryptionRules } from './rules.ts';
