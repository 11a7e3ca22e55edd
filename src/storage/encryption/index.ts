export { EncryptedStorage } from './encrypted-storage.ts';
export { connectKeyService } from './kms/key-service.ts';
export { KeyProvider, type KeyProviderObserver } from './kms/provider.ts';
export { EncryptionRules } from './rules.ts';
