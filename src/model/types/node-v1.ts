import type { Declarations } from '../declare.ts';

export default {
  family: 'node_v1',
  group: 'node.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.node.v1',
  types: `
Overhead
  podFixed 1 map:quantity.Quantity

RuntimeClass kind
  metadata 1 meta_v1.ObjectMeta
  handler 2 string required
  overhead 3 *Overhead
  scheduling 4 *Scheduling

RuntimeClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []RuntimeClass required

Scheduling
  nodeSelector 1 map:string map=atomic
  tolerations 2 []core_v1.Toleration list=atomic
`,
} satisfies Declarations;
