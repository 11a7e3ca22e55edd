import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
ConfigMap kind
  @json metadata immutable data binaryData
  metadata 1 meta_v1.ObjectMeta
  data 2 map:string
  binaryData 3 map:bytes
  immutable 4 *boolean

ConfigMapList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ConfigMap required

Secret kind
  @json metadata immutable data stringData type
  metadata 1 meta_v1.ObjectMeta
  data 2 map:bytes
  type 3 string go=SecretType
  stringData 4 map:string
  immutable 5 *boolean

SecretList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Secret required

ServiceAccount kind
  metadata 1 meta_v1.ObjectMeta
  secrets 2 []ObjectReference list=map(name) patch=merge
  imagePullSecrets 3 []LocalObjectReference list=atomic
  automountServiceAccountToken 4 *boolean

ServiceAccountList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ServiceAccount required
`,
} satisfies Declarations;
