import type { Declarations } from '../declare.ts';

export default {
  family: 'certificates_v1alpha1',
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.certificates.v1alpha1',
  types: `
ClusterTrustBundle kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ClusterTrustBundleSpec required

ClusterTrustBundleList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ClusterTrustBundle required

ClusterTrustBundleSpec
  signerName 1 string
  trustBundle 2 string required
`,
} satisfies Declarations;
