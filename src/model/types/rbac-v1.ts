import type { Declarations } from '../declare.ts';

export default {
  family: 'rbac_v1',
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.rbac.v1',
  types: `
AggregationRule
  clusterRoleSelectors 1 []meta_v1.LabelSelector list=atomic

ClusterRole kind
  metadata 1 meta_v1.ObjectMeta
  rules 2 []PolicyRule shown list=atomic
  aggregationRule 3 *AggregationRule

ClusterRoleBinding kind
  metadata 1 meta_v1.ObjectMeta
  subjects 2 []Subject list=atomic
  roleRef 3 RoleRef required

ClusterRoleBindingList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ClusterRoleBinding required

ClusterRoleList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ClusterRole required

PolicyRule
  verbs 1 []string required list=atomic
  apiGroups 2 []string list=atomic
  resources 3 []string list=atomic
  resourceNames 4 []string list=atomic
  nonResourceURLs 5 []string list=atomic

Role kind
  metadata 1 meta_v1.ObjectMeta
  rules 2 []PolicyRule shown list=atomic

RoleBinding kind
  metadata 1 meta_v1.ObjectMeta
  subjects 2 []Subject list=atomic
  roleRef 3 RoleRef required

RoleBindingList kind
  metadata 1 meta_v1.ListMeta
  items 2 []RoleBinding required

RoleList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Role required

RoleRef map=atomic
  apiGroup 1 string required@-1.36 shown@1.36 default@1.36=""
  kind 2 string required
  name 3 string required

Subject map=atomic
  kind 1 string required
  apiGroup 2 string
  name 3 string required
  namespace 4 string
`,
} satisfies Declarations;
