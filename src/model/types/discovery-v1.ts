import type { Declarations } from '../declare.ts';

export default {
  family: 'discovery_v1',
  group: 'discovery.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.discovery.v1',
  types: `
Endpoint
  addresses 1 []string required list=set
  conditions 2 EndpointConditions
  hostname 3 *string
  targetRef 4 *core_v1.ObjectReference
  deprecatedTopology 5 map:string
  nodeName 6 *string
  zone 7 *string
  hints 8 *EndpointHints

EndpointConditions
  ready 1 *boolean
  serving 2 *boolean
  terminating 3 *boolean

EndpointHints
  forZones 1 []ForZone list=atomic
  forNodes 2 []ForNode list=atomic since=1.33

EndpointPort map=atomic
  name 1 *string
  protocol 2 *string enum=SCTP|TCP|UDP go=Protocol
  port 3 *int32
  appProtocol 4 *string

EndpointSlice kind
  @json metadata addressType endpoints ports
  metadata 1 meta_v1.ObjectMeta
  endpoints 2 []Endpoint required@-1.36 list=atomic shown@1.36
  ports 3 []EndpointPort shown list=atomic
  addressType 4 string required enum=FQDN|IPv4|IPv6 go=AddressType

EndpointSliceList kind
  metadata 1 meta_v1.ListMeta
  items 2 []EndpointSlice required

ForNode since=1.33
  name 1 string required

ForZone
  name 1 string required
`,
} satisfies Declarations;
