import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
ClientIPConfig
  timeoutSeconds 1 *int32

EndpointAddress map=atomic
  @json ip hostname nodeName targetRef
  ip 1 string required
  targetRef 2 *ObjectReference
  hostname 3 string
  nodeName 4 *string

EndpointPort map=atomic
  name 1 string
  port 2 int32 required
  protocol 3 string enum=SCTP|TCP|UDP go=Protocol
  appProtocol 4 *string

EndpointSubset
  addresses 1 []EndpointAddress list=atomic
  notReadyAddresses 2 []EndpointAddress list=atomic
  ports 3 []EndpointPort list=atomic

Endpoints kind
  metadata 1 meta_v1.ObjectMeta
  subsets 2 []EndpointSubset list=atomic

EndpointsList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Endpoints required

LoadBalancerIngress
  ip 1 string
  hostname 2 string
  ipMode 3 *string go=LoadBalancerIPMode
  ports 4 []PortStatus list=atomic

LoadBalancerStatus
  ingress 1 []LoadBalancerIngress list=atomic

PortStatus
  port 1 int32 required
  protocol 2 string required enum=SCTP|TCP|UDP go=Protocol
  error 3 *string

Service kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ServiceSpec
  status 3 ServiceStatus

ServiceList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Service required

ServicePort
  @json name protocol appProtocol port targetPort nodePort
  name 1 string
  protocol 2 string default="TCP" enum=SCTP|TCP|UDP go=Protocol
  port 3 int32 required
  targetPort 4 intstr.IntOrString
  nodePort 5 int32
  appProtocol 6 *string

ServiceProxyOptions kind unpublished
  path 1 string

ServiceSpec
  @json ports selector clusterIP clusterIPs type externalIPs sessionAffinity loadBalancerIP loadBalancerSourceRanges externalName externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses sessionAffinityConfig ipFamilies ipFamilyPolicy allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy trafficDistribution
  ports 1 []ServicePort list=map(port,protocol) patch=merge(port)
  selector 2 map:string map=atomic
  clusterIP 3 string
  type 4 string enum=ClusterIP|ExternalName|LoadBalancer|NodePort go=ServiceType
  externalIPs 5 []string list=atomic
  sessionAffinity 7 string enum=ClientIP|None go=ServiceAffinity
  loadBalancerIP 8 string
  loadBalancerSourceRanges 9 []string list=atomic
  externalName 10 string
  externalTrafficPolicy 11 string enum=Cluster|Local go=ServiceExternalTrafficPolicy
  healthCheckNodePort 12 int32
  publishNotReadyAddresses 13 boolean
  sessionAffinityConfig 14 *SessionAffinityConfig
  ipFamilyPolicy 17 *string enum=PreferDualStack|RequireDualStack|SingleStack go=IPFamilyPolicy
  clusterIPs 18 []string list=atomic
  ipFamilies 19 []string itemsEnum=|IPv4|IPv6 list=atomic go=IPFamily
  allocateLoadBalancerNodePorts 20 *boolean
  loadBalancerClass 21 *string
  internalTrafficPolicy 22 *string enum=Cluster|Local go=ServiceInternalTrafficPolicy
  trafficDistribution 23 *string

ServiceStatus
  loadBalancer 1 LoadBalancerStatus
  conditions 2 []meta_v1.Condition list=map(type) patch=merge

SessionAffinityConfig
  clientIP 1 *ClientIPConfig
`,
} satisfies Declarations;
