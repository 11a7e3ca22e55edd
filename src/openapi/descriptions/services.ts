/** Services and Endpoints. */
export const SERVICES: Readonly<Record<string, string>> = {
  Endpoints: 'IP addresses and ports of the pods of a service. Replaced by EndpointSlice.',
  'Endpoints.subsets': 'Sets of addresses that have the same ports.',
  Service: 'Stable name and address of a set of pods.',
  ServiceSpec: 'Specification of a service.',
  'ServiceSpec.ports': 'Ports that the service exposes.',
  'ServiceSpec.selector':
    'Labels of the pods that receive the traffic. If empty, the endpoints are managed externally.',
  'ServiceSpec.clusterIP':
    'IP address within the cluster. The server allocates it unless it is specified. None makes the service headless.',
  'ServiceSpec.clusterIPs':
    'IP addresses within the cluster, at most one per IP family. The first equals clusterIP.',
  'ServiceSpec.type':
    'How the service is exposed: ClusterIP, NodePort, LoadBalancer or ExternalName. Default: ClusterIP.',
  'ServiceSpec.externalIPs': 'Additional IP addresses at which nodes accept traffic for the service.',
  'ServiceSpec.sessionAffinity':
    'ClientIP routes all connections of a client IP address to the same pod. Default: None.',
  'ServiceSpec.sessionAffinityConfig': 'Configuration of session affinity.',
  'ServiceSpec.loadBalancerIP':
    'Requested IP address of the load balancer. Support depends on the provider. Deprecated.',
  'ServiceSpec.loadBalancerSourceRanges': 'CIDRs of the clients that may access the load balancer.',
  'ServiceSpec.loadBalancerClass': 'Class of the load balancer implementation.',
  'ServiceSpec.allocateLoadBalancerNodePorts':
    'Whether node ports are allocated for a service of type LoadBalancer. Default: true.',
  'ServiceSpec.externalName': 'DNS name that a service of type ExternalName resolves to.',
  'ServiceSpec.externalTrafficPolicy':
    'How nodes route external traffic: Cluster to all endpoints, Local to endpoints on the same node only.',
  'ServiceSpec.internalTrafficPolicy':
    'How nodes route traffic from the cluster: Cluster to all endpoints, Local to endpoints on the same node only.',
  'ServiceSpec.healthCheckNodePort':
    'Node port at which load balancers check whether a node has endpoints of the service.',
  'ServiceSpec.publishNotReadyAddresses': 'Whether pods that are not ready are included in the endpoints.',
  'ServiceSpec.ipFamilies': 'IP families of the service: IPv4, IPv6 or both, in order of preference.',
  'ServiceSpec.ipFamilyPolicy': 'SingleStack, PreferDualStack or RequireDualStack.',
  'ServiceSpec.trafficDistribution':
    'Preference for the distribution of traffic over endpoints, such as PreferClose.',
  ServicePort: 'Port of a service.',
  'ServicePort.name': 'Name of the port. Required if the service has several ports.',
  'ServicePort.protocol': 'TCP, UDP or SCTP. Default: TCP.',
  'ServicePort.port': 'Port number that the service exposes.',
  'ServicePort.targetPort': 'Number or name of the port on the pods. Default: the value of port.',
  'ServicePort.nodePort':
    'Port on each node for types NodePort and LoadBalancer. The server allocates it unless it is specified.',
  'ServicePort.appProtocol': 'Application protocol of the port, for example kubernetes.io/h2c.',
  ServiceStatus: 'Status of a service.',
  'ServiceStatus.loadBalancer': 'Status of the load balancer, with its ingress points.',
  LoadBalancerStatus: 'State of a load balancer.',
  'LoadBalancerStatus.ingress': 'Addresses of the load balancer; traffic to them reaches the Service.',
  LoadBalancerIngress: 'Address of a load balancer: an IP address, a host name or both.',
  'LoadBalancerIngress.ip': 'IP address of the load balancer.',
  'LoadBalancerIngress.hostname': 'Host name of the load balancer.',
  'LoadBalancerIngress.ipMode':
    'VIP means that the destination of packets is the address of the load balancer; Proxy that it is the node or pod. Only with ip. Default: VIP.',
  'LoadBalancerIngress.ports': 'State of the ports of the Service. If any is listed, all must be.',
  PortStatus: 'State of a port of a load balancer.',
  'PortStatus.port': 'Number of the port.',
  'PortStatus.protocol': 'TCP, UDP or SCTP.',
  'PortStatus.error':
    "Error of the port in CamelCase; a provider's own has a domain, such as example.com/PortTaken.",
  IngressPortStatus: 'State of a port of a load balancer.',
  'IngressPortStatus.port': 'Number of the port.',
  'IngressPortStatus.protocol': 'TCP, UDP or SCTP.',
  'IngressPortStatus.error':
    "Error of the port in CamelCase; a provider's own has a domain, such as example.com/PortTaken.",
  SessionAffinityConfig: 'Settings of session affinity.',
  'SessionAffinityConfig.clientIP': 'Settings of affinity by the address of the client.',
  ClientIPConfig: 'Settings of affinity by the address of the client.',
  'ClientIPConfig.timeoutSeconds':
    'Seconds for which a client keeps its backend, 1 to 86400. Default: 10800, which is 3 hours.',
  EndpointSubset: 'Addresses with the same ports: each address is combined with each port.',
  'EndpointSubset.addresses': 'Addresses that are ready.',
  'EndpointSubset.notReadyAddresses':
    'Addresses that are not ready: the pod is starting or its readiness probe fails.',
  'EndpointSubset.ports': 'Ports of all addresses.',
  EndpointAddress: 'Address of an endpoint.',
  'EndpointAddress.ip': 'IP address; not of loopback, link-local or link-local multicast.',
  'EndpointAddress.hostname': 'Host name of the endpoint.',
  'EndpointAddress.nodeName': 'Node on which the endpoint runs.',
  'EndpointAddress.targetRef': 'Object behind the endpoint, usually a pod.',
};
