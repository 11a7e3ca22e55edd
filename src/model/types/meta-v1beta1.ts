import type { Declarations } from '../declare.ts';

export default {
  family: 'meta_v1beta1',
  group: 'meta.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.apimachinery.pkg.apis.meta.v1beta1',
  unpublished: true,
  types: `
PartialObjectMetadataList kind
  @json metadata items
  items 1 []meta_v1.PartialObjectMetadata required
  metadata 2 meta_v1.ListMeta
`,
} satisfies Declarations;
