import type { Declarations } from '../declare.ts';

export default {
  family: 'certificates_v1beta1',
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.certificates.v1beta1',
  life: { since: '1.33' },
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

PodCertificateRequest kind since=1.35
  metadata 1 meta_v1.ObjectMeta
  spec 2 PodCertificateRequestSpec required
  status 3 PodCertificateRequestStatus

PodCertificateRequestList kind since=1.35
  metadata 1 meta_v1.ListMeta
  items 2 []PodCertificateRequest required

PodCertificateRequestSpec since=1.35
  @json signerName podName podUID serviceAccountName serviceAccountUID nodeName nodeUID maxExpirationSeconds pkixPublicKey proofOfPossession stubPKCS10Request unverifiedUserAnnotations
  signerName 1 string required
  podName 2 string required
  podUID 3 string required go=types.UID
  serviceAccountName 4 string required
  serviceAccountUID 5 string required go=types.UID
  nodeName 6 string required go=types.NodeName
  nodeUID 7 string required go=types.UID
  maxExpirationSeconds 8 *int32 default=86400
  pkixPublicKey 9 bytes required@-1.36 shown@1.36
  proofOfPossession 10 bytes required@-1.36 shown@1.36
  unverifiedUserAnnotations 11 map:string
  stubPKCS10Request 12 bytes required since=1.36

PodCertificateRequestStatus since=1.35
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  certificateChain 2 string
  notBefore 4 *meta_v1.Time
  beginRefreshAt 5 *meta_v1.Time
  notAfter 6 *meta_v1.Time
`,
} satisfies Declarations;
