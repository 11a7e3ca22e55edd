import type { Declarations } from '../declare.ts';

export default {
  family: 'networking_v1',
  group: 'networking.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.networking.v1',
  types: `
HTTPIngressPath
  @json path pathType backend
  path 1 string
  backend 2 IngressBackend required
  pathType 3 *string required shown enum=Exact|ImplementationSpecific|Prefix go=PathType

HTTPIngressRuleValue
  paths 1 []HTTPIngressPath required list=atomic

IPBlock
  cidr 1 string required
  except 2 []string list=atomic

Ingress kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 IngressSpec
  status 3 IngressStatus

IngressBackend
  @json service resource
  resource 3 *core_v1.TypedLocalObjectReference
  service 4 *IngressServiceBackend

IngressClass kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 IngressClassSpec

IngressClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []IngressClass required

IngressClassParametersReference
  apiGroup 1 *string protobuf=aPIGroup
  kind 2 string required
  name 3 string required
  scope 4 *string shown
  namespace 5 *string

IngressClassSpec
  controller 1 string
  parameters 2 *IngressClassParametersReference

IngressList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Ingress required

IngressLoadBalancerIngress
  ip 1 string
  hostname 2 string
  ports 4 []IngressPortStatus list=atomic

IngressLoadBalancerStatus
  ingress 1 []IngressLoadBalancerIngress list=atomic

IngressPortStatus
  port 1 int32 required
  protocol 2 string required enum=SCTP|TCP|UDP go=Protocol
  error 3 *string

IngressRule
  host 1 string
  ingressRuleValue 2 IngressRuleValue inline

IngressRuleValue unpublished
  http 1 *HTTPIngressRuleValue

IngressServiceBackend
  name 1 string required
  port 2 ServiceBackendPort

IngressSpec
  @json ingressClassName defaultBackend tls rules
  defaultBackend 1 *IngressBackend
  tls 2 []IngressTLS list=atomic
  rules 3 []IngressRule list=atomic
  ingressClassName 4 *string

IngressStatus
  loadBalancer 1 IngressLoadBalancerStatus

IngressTLS
  hosts 1 []string list=atomic
  secretName 2 string

NetworkPolicy kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 NetworkPolicySpec

NetworkPolicyEgressRule
  ports 1 []NetworkPolicyPort list=atomic
  to 2 []NetworkPolicyPeer list=atomic

NetworkPolicyIngressRule
  ports 1 []NetworkPolicyPort list=atomic
  from 2 []NetworkPolicyPeer list=atomic

NetworkPolicyList kind
  metadata 1 meta_v1.ListMeta
  items 2 []NetworkPolicy required

NetworkPolicyPeer
  podSelector 1 *meta_v1.LabelSelector
  namespaceSelector 2 *meta_v1.LabelSelector
  ipBlock 3 *IPBlock

NetworkPolicyPort
  protocol 1 *string enum=SCTP|TCP|UDP go=Protocol
  port 2 *intstr.IntOrString
  endPort 3 *int32

NetworkPolicySpec
  podSelector 1 meta_v1.LabelSelector required@-1.34
  ingress 2 []NetworkPolicyIngressRule list=atomic
  egress 3 []NetworkPolicyEgressRule list=atomic
  policyTypes 4 []string itemsEnum=Egress|Ingress list=atomic go=PolicyType

ServiceBackendPort map=atomic
  name 1 string
  number 2 int32
`,
} satisfies Declarations;
