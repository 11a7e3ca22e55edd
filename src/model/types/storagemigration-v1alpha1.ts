import type { Declarations } from '../declare.ts';

export default {
  family: 'storagemigration_v1alpha1',
  group: 'storagemigration.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.storagemigration.v1alpha1',
  life: { until: '1.35' },
  types: `
GroupVersionResource
  group 1 string
  version 2 string
  resource 3 string

MigrationCondition
  type 1 string required go=MigrationConditionType
  status 2 string required go=v1.ConditionStatus
  lastUpdateTime 3 meta_v1.Time
  reason 4 string
  message 5 string

StorageVersionMigration kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 StorageVersionMigrationSpec
  status 3 StorageVersionMigrationStatus

StorageVersionMigrationList kind
  metadata 1 meta_v1.ListMeta
  items 2 []StorageVersionMigration required list=map(type) patch=merge

StorageVersionMigrationSpec
  resource 1 GroupVersionResource required
  continueToken 2 string

StorageVersionMigrationStatus
  conditions 1 []MigrationCondition list=map(type) patch=merge
  resourceVersion 2 string
`,
} satisfies Declarations;
