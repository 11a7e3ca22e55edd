import type { Declarations } from '../declare.ts';

export default {
  family: 'networking_v1beta1',
  group: 'networking.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.networking.v1beta1',
  types: `
HTTPIngressPath unpublished
  @json path pathType backend
  path 1 string
  backend 2 IngressBackend required
  pathType 3 *string go=PathType

HTTPIngressRuleValue unpublished
  paths 1 []HTTPIngressPath required list=atomic

IPAddress kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 IPAddressSpec required@1.36

IPAddressList kind
  metadata 1 meta_v1.ListMeta
  items 2 []IPAddress required

IPAddressSpec
  parentRef 1 *ParentReference required

Ingress kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 IngressSpec
  status 3 IngressStatus

IngressBackend unpublished
  serviceName 1 string
  servicePort 2 intstr.IntOrString
  resource 3 *core_v1.TypedLocalObjectReference

IngressClass kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 IngressClassSpec

IngressClassList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []IngressClass required

IngressClassParametersReference unpublished
  apiGroup 1 *string protobuf=aPIGroup
  kind 2 string required
  name 3 string required
  scope 4 *string required shown
  namespace 5 *string

IngressClassSpec unpublished
  controller 1 string
  parameters 2 *IngressClassParametersReference

IngressList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []Ingress required

IngressLoadBalancerIngress unpublished
  ip 1 string
  hostname 2 string
  ports 4 []IngressPortStatus list=atomic

IngressLoadBalancerStatus unpublished
  ingress 1 []IngressLoadBalancerIngress list=atomic

IngressPortStatus unpublished
  port 1 int32 required
  protocol 2 string required enum=SCTP|TCP|UDP go=v1.Protocol
  error 3 *string

IngressRule unpublished
  host 1 string
  ingressRuleValue 2 IngressRuleValue inline

IngressRuleValue unpublished
  http 1 *HTTPIngressRuleValue

IngressSpec unpublished
  @json ingressClassName backend tls rules
  backend 1 *IngressBackend
  tls 2 []IngressTLS list=atomic
  rules 3 []IngressRule list=atomic
  ingressClassName 4 *string

IngressStatus unpublished
  loadBalancer 1 IngressLoadBalancerStatus

IngressTLS unpublished
  hosts 1 []string list=atomic
  secretName 2 string

ParentReference
  group 1 string
  resource 2 string required nodefault omitted
  namespace 3 string
  name 4 string required nodefault omitted

ServiceCIDR kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ServiceCIDRSpec
  status 3 ServiceCIDRStatus

ServiceCIDRList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ServiceCIDR required

ServiceCIDRSpec
  cidrs 1 []string list=atomic

ServiceCIDRStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
`,
} satisfies Declarations;
