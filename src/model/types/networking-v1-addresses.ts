import type { Declarations } from '../declare.ts';

export default {
  family: 'networking_v1',
  group: 'networking.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.networking.v1',
  life: { since: '1.33' },
  types: `
IPAddress kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 IPAddressSpec required@1.36

IPAddressList kind
  metadata 1 meta_v1.ListMeta
  items 2 []IPAddress required

IPAddressSpec
  parentRef 1 *ParentReference required

ParentReference
  group 1 string
  resource 2 string required omitted nodefault
  namespace 3 string
  name 4 string required omitted nodefault

ServiceCIDR kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ServiceCIDRSpec
  status 3 ServiceCIDRStatus

ServiceCIDRList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ServiceCIDR required

ServiceCIDRSpec
  cidrs 1 []string list=atomic

ServiceCIDRStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
`,
} satisfies Declarations;
