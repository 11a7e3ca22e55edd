/** Kinds of the group storagemigration.k8s.io. */
export const STORAGEMIGRATION: Readonly<Record<string, string>> = {
  StorageVersionMigration: 'Migration of stored objects to the current storage version.',
  StorageVersionMigrationSpec: 'Which resource to migrate.',
  'StorageVersionMigrationSpec.resource':
    'Resource whose stored objects are rewritten in the current storage version. Cannot be changed.',
  'StorageVersionMigrationSpec.continueToken':
    'Token of the list from which the migration goes on after an interruption. Written by the migrator.',
  StorageVersionMigrationStatus: 'Progress of a migration.',
  'StorageVersionMigrationStatus.resourceVersion':
    'Resource version at which the migration began: objects that are newer need no migration.',
  'StorageVersionMigrationStatus.conditions':
    'Running, Succeeded and Failed tell how far the migration is; after Succeeded or Failed it does not run again.',
  MigrationCondition: 'State of a migration at its last change.',
  'MigrationCondition.type': 'Running, Succeeded or Failed.',
  GroupVersionResource: 'A resource of a group version.',
  'GroupVersionResource.group': 'API group; empty for the core group.',
  'GroupVersionResource.version': 'Version of the API group.',
  'GroupVersionResource.resource': 'Name of the resource in the plural.',
};
