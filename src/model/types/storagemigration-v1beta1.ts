import type { Declarations } from '../declare.ts';

export default {
  family: 'storagemigration_v1beta1',
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.storagemigration.v1beta1',
  life: { since: '1.35' },
  types: `
StorageVersionMigration kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 StorageVersionMigrationSpec
  status 3 StorageVersionMigrationStatus

StorageVersionMigrationList kind
  metadata 1 meta_v1.ListMeta
  items 2 []StorageVersionMigration required

StorageVersionMigrationSpec
  resource 1 meta_v1.GroupResource required

StorageVersionMigrationStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  resourceVersion 2 string
`,
} satisfies Declarations;
