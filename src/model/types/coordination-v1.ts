import type { Declarations } from '../declare.ts';

export default {
  family: 'coordination_v1',
  group: 'coordination.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.coordination.v1',
  types: `
Lease kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 LeaseSpec

LeaseList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Lease required

LeaseSpec
  holderIdentity 1 *string
  leaseDurationSeconds 2 *int32
  acquireTime 3 *meta_v1.MicroTime
  renewTime 4 *meta_v1.MicroTime
  leaseTransitions 5 *int32
  strategy 6 *string go=CoordinatedLeaseStrategy
  preferredHolder 7 *string
`,
} satisfies Declarations;
