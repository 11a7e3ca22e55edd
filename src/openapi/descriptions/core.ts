/** Kinds of the core group other than pods. */
export default `
Namespace: Scope for names. Namespaces separate groups of objects; deleting a namespace deletes all objects in it.
NamespaceSpec: Specification of a namespace.
  finalizers: Finalizers that must be removed before the namespace is removed.
NamespaceStatus: Status of a namespace.
  phase: Active, or Terminating while the namespace is being deleted.
ConfigMap: Configuration data for pods that is not confidential.
  data: UTF-8 values by key.
  binaryData: Base64-encoded binary values by key.
  immutable: If true, the data cannot be updated.
Secret: Confidential data for pods, such as passwords, tokens and keys.
  data: Base64-encoded values by key.
  stringData: Write-only values as plain text. The server encodes them and merges them into data.
  type: Type of the secret. Some types require specific keys in data.
  immutable: If true, the data cannot be updated.
Service: Stable name and address of a set of pods.
ServiceSpec: Specification of a service.
  ports: Ports that the service exposes.
  selector: Labels of the pods that receive the traffic. If empty, the endpoints are managed externally.
  clusterIP: IP address within the cluster. The server allocates it unless it is specified. None makes the service headless.
  clusterIPs: IP addresses within the cluster, at most one per IP family. The first equals clusterIP.
  type: How the service is exposed: ClusterIP, NodePort, LoadBalancer or ExternalName. Default: ClusterIP.
  externalIPs: Additional IP addresses at which nodes accept traffic for the service.
  sessionAffinity: ClientIP routes all connections of a client IP address to the same pod. Default: None.
  sessionAffinityConfig: Configuration of session affinity.
  loadBalancerIP: Requested IP address of the load balancer. Support depends on the provider. Deprecated.
  loadBalancerSourceRanges: CIDRs of the clients that may access the load balancer.
  loadBalancerClass: Class of the load balancer implementation.
  allocateLoadBalancerNodePorts: Whether node ports are allocated for a service of type LoadBalancer. Default: true.
  externalName: DNS name that a service of type ExternalName resolves to.
  externalTrafficPolicy: How nodes route external traffic: Cluster to all endpoints, Local to endpoints on the same node only.
  internalTrafficPolicy: How nodes route traffic from the cluster: Cluster to all endpoints, Local to endpoints on the same node only.
  healthCheckNodePort: Node port at which load balancers check whether a node has endpoints of the service.
  publishNotReadyAddresses: Whether pods that are not ready are included in the endpoints.
  ipFamilies: IP families of the service: IPv4, IPv6 or both, in order of preference.
  ipFamilyPolicy: SingleStack, PreferDualStack or RequireDualStack.
  trafficDistribution: Preference for the distribution of traffic over endpoints, such as PreferClose.
ServicePort: Port of a service.
  name: Name of the port. Required if the service has several ports.
  protocol: TCP, UDP or SCTP. Default: TCP.
  port: Port number that the service exposes.
  targetPort: Number or name of the port on the pods. Default: the value of port.
  nodePort: Port on each node for types NodePort and LoadBalancer. The server allocates it unless it is specified.
  appProtocol: Application protocol of the port, for example kubernetes.io/h2c.
ServiceStatus: Status of a service.
  loadBalancer: Status of the load balancer, with its ingress points.
Endpoints: IP addresses and ports of the pods of a service. Replaced by EndpointSlice.
  subsets: Sets of addresses that have the same ports.
ServiceAccount: Identity of processes that run in pods.
  secrets: Secrets that pods of the service account may use.
  imagePullSecrets: Secrets for pulling images, added to pods of the service account.
  automountServiceAccountToken: Whether a token is mounted into pods of the service account.
Node: Worker node of the cluster.
NodeSpec: Specification of a node.
  podCIDR: CIDR of the pods on the node.
  podCIDRs: CIDRs of the pods on the node, at most one per IP family.
  providerID: Identifier of the node at the cloud provider.
  unschedulable: If true, no new pods are scheduled to the node.
  taints: Taints of the node.
NodeStatus: Status of a node.
  capacity: Total resources of the node.
  allocatable: Resources of the node that are available to pods.
  addresses: Addresses of the node.
  nodeInfo: Versions of the operating system and the node components.
Taint: Prevents pods that do not tolerate it from running on a node.
  key: Key of the taint.
  value: Value of the taint.
  effect: Effect on pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.
PersistentVolume: Storage in the cluster with a lifecycle that is independent of pods.
PersistentVolumeClaim: Request for storage, which is bound to a persistent volume.
PersistentVolumeClaimSpec: Specification of a persistent volume claim.
  accessModes: Requested access modes of the volume.
  selector: Label selector of the volumes that may be bound.
  resources: Requested size of the volume.
  volumeName: Name of the bound persistent volume.
  storageClassName: Name of the storage class. Empty means no class; absent means the default class.
  volumeMode: Filesystem or Block. Default: Filesystem.
  dataSource: Volume snapshot or claim from which the volume is populated.
  dataSourceRef: Object from which the volume is populated.
PersistentVolumeClaimStatus: Status of a persistent volume claim.
  phase: Pending, Bound or Lost.
  accessModes: Actual access modes of the volume.
  capacity: Actual size of the volume.
PersistentVolumeSpec: Specification of a persistent volume.
  capacity: Size of the volume.
  accessModes: Access modes that the volume supports.
  claimRef: Claim to which the volume is bound.
  persistentVolumeReclaimPolicy: What happens to the volume after its claim is deleted: Retain, Delete or Recycle.
  storageClassName: Name of the storage class.
  volumeMode: Filesystem or Block. Default: Filesystem.
  nodeAffinity: Nodes from which the volume is accessible.
ResourceQuota: Limits the total resource usage of a namespace.
ResourceQuotaSpec: Specification of a resource quota.
  hard: Limits by resource name, such as requests.cpu or count/pods.
  scopes: Scopes that an object must match to be counted.
LimitRange: Limits and defaults of the resource usage of each object in a namespace.
LimitRangeSpec: Specification of a limit range.
  limits: Limits by type of object.
ReplicationController: Maintains a number of identical pods. Replaced by Deployment and ReplicaSet.
PodTemplate: Template for pods.
Event: Report of an event in the cluster.
  involvedObject: Object that the event is about.
  reason: Machine-readable reason of the event, in CamelCase.
  message: Human-readable description of the event.
  type: Normal or Warning.
  count: Number of occurrences.
Binding: Assigns a pod to a node.
ComponentStatus: Health of a control plane component. Deprecated.
ObjectReference: Reference to an object.
LocalObjectReference: Reference to an object in the same namespace.
  name: Name of the object.
`;
