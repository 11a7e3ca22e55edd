import type { Declarations } from '../declare.ts';

export default {
  family: 'apiregistration_v1',
  group: 'apiregistration.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1',
  types: `
APIService kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 APIServiceSpec
  status 3 APIServiceStatus

APIServiceCondition
  type 1 string required go=APIServiceConditionType
  status 2 string required go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

APIServiceList kind
  metadata 1 meta_v1.ListMeta
  items 2 []APIService required

APIServiceSpec
  service 1 *ServiceReference
  group 2 string
  version 3 string
  insecureSkipTLSVerify 4 boolean
  caBundle 5 bytes list=atomic
  groupPriorityMinimum 7 int32 required
  versionPriority 8 int32 required

APIServiceStatus
  conditions 1 []APIServiceCondition list=map(type) patch=merge

ServiceReference
  namespace 1 string
  name 2 string
  port 3 *int32
`,
} satisfies Declarations;
