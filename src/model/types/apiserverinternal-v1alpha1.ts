import type { Declarations } from '../declare.ts';

export default {
  family: 'apiserverinternal_v1alpha1',
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.apiserverinternal.v1alpha1',
  types: `
ServerStorageVersion
  apiServerID 1 string required@1.36 omitted@1.36 nodefault@1.36
  encodingVersion 2 string required@1.36 omitted@1.36 nodefault@1.36
  decodableVersions 3 []string list=set required@1.36 omitted@1.36
  servedVersions 4 []string list=set

StorageVersion kind
  metadata 1 meta_v1.ObjectMeta required@1.36
  spec 2 StorageVersionSpec required@-1.36
  status 3 StorageVersionStatus required@-1.36

StorageVersionCondition
  type 1 string required go=StorageVersionConditionType
  status 2 string required go=ConditionStatus
  observedGeneration 3 int64
  lastTransitionTime 4 meta_v1.Time
  reason 5 string required
  message 6 string required nodefault omitted

StorageVersionList kind
  metadata 1 meta_v1.ListMeta
  items 2 []StorageVersion required

StorageVersionSpec

StorageVersionStatus
  storageVersions 1 []ServerStorageVersion list=map(apiServerID)
  commonEncodingVersion 2 *string
  conditions 3 []StorageVersionCondition list=map(type)
`,
} satisfies Declarations;
