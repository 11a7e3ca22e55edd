import type { Declarations } from '../declare.ts';

export default {
  family: 'apidiscovery_v2',
  group: 'apidiscovery.k8s.io',
  version: 'v2',
  protobuf: 'k8s.io.api.apidiscovery.v2',
  unpublished: true,
  types: `
APIGroupDiscovery kind
  metadata 1 meta_v1.ObjectMeta
  versions 2 []APIVersionDiscovery list=map(version)

APIGroupDiscoveryList kind
  metadata 1 meta_v1.ListMeta
  items 2 []APIGroupDiscovery required

APIResourceDiscovery
  resource 1 string required
  responseKind 2 *meta_v1.GroupVersionKind
  scope 3 string required go=ResourceScope
  singularResource 4 string required
  verbs 5 []string required list=set
  shortNames 6 []string list=set
  categories 7 []string list=set
  subresources 8 []APISubresourceDiscovery list=map(subresource)

APISubresourceDiscovery
  subresource 1 string required
  responseKind 2 *meta_v1.GroupVersionKind
  acceptedTypes 3 []meta_v1.GroupVersionKind list=map(group,version,kind)
  verbs 4 []string required list=set

APIVersionDiscovery
  version 1 string required
  resources 2 []APIResourceDiscovery list=map(resource)
  freshness 3 string go=DiscoveryFreshness
`,
} satisfies Declarations;
