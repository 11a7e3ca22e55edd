import type { Declarations } from '../declare.ts';

export default {
  family: 'coordination_v1beta1',
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.coordination.v1beta1',
  life: { since: '1.33' },
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
  strategy 6 string required omitted nodefault go=v1.CoordinatedLeaseStrategy
`,
} satisfies Declarations;
