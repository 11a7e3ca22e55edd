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
};
