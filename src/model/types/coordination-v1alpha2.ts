import type { Declarations } from '../declare.ts';

export default {
  family: 'coordination_v1alpha2',
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  protobuf: 'k8s.io.api.coordination.v1alpha2',
  types: `
LeaseCandidate kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 LeaseCandidateSpec required@1.36

LeaseCandidateList kind
  metadata 1 meta_v1.ListMeta
  items 2 []LeaseCandidate required

LeaseCandidateSpec
  leaseName 1 string required
  pingTime 2 *meta_v1.MicroTime
  renewTime 3 *meta_v1.MicroTime
  binaryVersion 4 string required
  emulationVersion 5 string
  strategy 6 string required nodefault omitted go=v1.CoordinatedLeaseStrategy
`,
} satisfies Declarations;
