import type { Declarations } from '../declare.ts';

export default {
  family: 'meta_v1',
  group: 'meta.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: `
APIGroup kind
  name 1 string required
  versions 2 []GroupVersionForDiscovery required list=atomic
  preferredVersion 3 GroupVersionForDiscovery
  serverAddressByClientCIDRs 4 []ServerAddressByClientCIDR list=atomic

APIGroupList kind
  groups 1 []APIGroup required list=atomic

APIResource
  @json name singularName namespaced group version kind verbs shortNames categories storageVersionHash
  name 1 string required
  namespaced 2 boolean required
  kind 3 string required
  verbs 4 Verbs required skipped
  shortNames 5 []string list=atomic
  singularName 6 string required
  categories 7 []string list=atomic
  group 8 string
  version 9 string
  storageVersionHash 10 string

APIResourceList kind
  groupVersion 1 string required
  resources 2 []APIResource required list=atomic

APIVersions kind
  versions 1 []string required list=atomic
  serverAddressByClientCIDRs 2 []ServerAddressByClientCIDR required list=atomic

GroupKind unpublished
  group 1 string required
  kind 2 string required

GroupResource unpublished
  group 1 string required
  resource 2 string required

GroupVersion form=groupVersion unpublished
  group 1 string required
  version 2 string required

GroupVersionForDiscovery
  groupVersion 1 string required
  version 2 string required

GroupVersionKind unpublished
  group 1 string required
  version 2 string required
  kind 3 string required

GroupVersionResource unpublished
  group 1 string required
  version 2 string required
  resource 3 string required

RootPaths unpublished
  paths 1 []string required list=atomic

ServerAddressByClientCIDR
  clientCIDR 1 string required
  serverAddress 2 string required

Verbs form=array items=string unpublished
`,
} satisfies Declarations;
