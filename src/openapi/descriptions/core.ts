/** Kinds of the core group other than pods. */
export default `
Namespace: A space for names that keeps what belongs together apart from the rest. Deleting it deletes all it has.
NamespaceSpec: What is wanted of a namespace.
  finalizers: Who must finish before the namespace can be removed.
NamespaceStatus: State of a namespace.
  phase: Active, or Terminating while it is being deleted.
ConfigMap: Configuration that is not secret, as keys and values that pods can use.
  data: Texts by key.
  binaryData: Bytes by key, in base64.
  immutable: Whether the data can no longer change.
Secret: Confidential data such as passwords, tokens and keys, which pods can use.
  data: Bytes by key, in base64.
  stringData: Texts by key, for writing only: the server moves them to data.
  type: What the data is for, which decides which keys there must be.
  immutable: Whether the data can no longer change.
Service: A lasting name and address for a set of pods that offer the same.
ServiceSpec: How clients reach the pods of a service.
  ports: Ports of the service.
  selector: Labels of the pods that requests go to. Without it, endpoints are made by someone else.
  clusterIP: Address within the cluster, given by the server unless asked for. None makes a headless service.
  clusterIPs: Addresses within the cluster, one for each family. The first is clusterIP.
  type: ClusterIP, NodePort, LoadBalancer or ExternalName: how far the service can be reached.
  externalIPs: Further addresses at which nodes accept traffic for the service.
  sessionAffinity: ClientIP sends a client to the same pod each time; None does not.
  sessionAffinityConfig: Details of the affinity.
  loadBalancerIP: Address wanted of the load balancer. Not every provider knows it; deprecated.
  loadBalancerSourceRanges: Clients that the load balancer lets in.
  loadBalancerClass: Which implementation of load balancers is wanted.
  allocateLoadBalancerNodePorts: Whether a service of type LoadBalancer gets node ports. Default: true.
  externalName: Host name that a service of type ExternalName stands for.
  externalTrafficPolicy: Cluster spreads traffic from outside over all nodes, Local keeps it on the node where it arrives.
  internalTrafficPolicy: The same for traffic from within the cluster.
  healthCheckNodePort: Port at which load balancers ask whether a node has pods of the service.
  publishNotReadyAddresses: Whether pods that are not ready count as endpoints.
  ipFamilies: IPv4, IPv6 or both, in order.
  ipFamilyPolicy: SingleStack, PreferDualStack or RequireDualStack.
  trafficDistribution: Preference for where requests go, such as PreferClose.
ServicePort: A port of a service.
  name: Name of the port; needed when there are several.
  protocol: TCP, UDP or SCTP. Default: TCP.
  port: Number that clients use.
  targetPort: Number or name of the port at the pods. Default: the same as port.
  nodePort: Port at every node, for types NodePort and LoadBalancer. Chosen by the server unless asked for.
  appProtocol: Protocol spoken above the transport, for example kubernetes.io/h2c.
ServiceStatus: State of a service.
  loadBalancer: Where the load balancer can be reached.
Endpoints: Addresses and ports behind a service, in one object. EndpointSlice replaces it.
  subsets: Addresses that share their ports.
ServiceAccount: An identity for programs that run in pods.
  secrets: Secrets that pods of the account may use.
  imagePullSecrets: Credentials for pulling images, added to pods of the account.
  automountServiceAccountToken: Whether pods of the account get a token mounted.
Node: A machine that runs pods.
NodeSpec: What is wanted of a node.
  podCIDR: Addresses for its pods.
  podCIDRs: Addresses for its pods, one range for each family.
  providerID: Name of the machine at its provider.
  unschedulable: Whether no new pods are placed on it.
  taints: What keeps pods away that do not tolerate it.
NodeStatus: State of a node.
  capacity: All resources of the node.
  allocatable: Resources of the node that pods can have.
  addresses: Addresses of the node.
  nodeInfo: Versions of its software.
Taint: A mark on a node that keeps pods away or drives them off.
  key: Key of the taint.
  value: Value of the taint.
  effect: NoSchedule, PreferNoSchedule or NoExecute.
PersistentVolume: Storage that exists in the cluster, whoever uses it.
PersistentVolumeClaim: A request for storage, bound to a volume that fulfils it.
PersistentVolumeClaimSpec: What storage is asked for.
  accessModes: How the volume is to be mounted.
  selector: Labels of volumes that may be bound.
  resources: Size that is needed.
  volumeName: The volume that is bound.
  storageClassName: Class of the storage. Empty: none; unset: the default class.
  volumeMode: Filesystem or Block.
  dataSource: Snapshot or claim that the volume starts with.
  dataSourceRef: Object of any kind that the volume starts with.
PersistentVolumeClaimStatus: State of a claim.
  phase: Pending, Bound or Lost.
  accessModes: How the volume can be mounted.
  capacity: Size of the volume.
PersistentVolumeSpec: What a volume is and who may have it.
  capacity: Size of the volume.
  accessModes: How the volume can be mounted.
  claimRef: The claim it is bound to.
  persistentVolumeReclaimPolicy: What happens when the claim is gone: Retain, Delete or Recycle.
  storageClassName: Class of the storage.
  volumeMode: Filesystem or Block.
  nodeAffinity: Nodes from which it can be reached.
ResourceQuota: Limits of what a namespace may use in all.
ResourceQuotaSpec: The limits.
  hard: Largest amount by resource, such as requests.cpu or count/pods.
  scopes: Only objects in these scopes count.
LimitRange: Defaults and bounds of resources for single objects of a namespace.
LimitRangeSpec: The bounds.
  limits: Bounds by type of object.
ReplicationController: Keeps a number of equal pods running. Deployments and replica sets replace it.
PodTemplate: A template for pods that other objects can use.
Event: Something that happened in the cluster, worth telling.
  involvedObject: What it is about.
  reason: Why it happened, as one word.
  message: What happened, for people.
  type: Normal or Warning.
  count: How often it happened.
Binding: Assigns a pod to a node.
ComponentStatus: Health of a component of the control plane. Deprecated.
ObjectReference: Points at another object.
LocalObjectReference: Points at an object of the same namespace.
  name: Name of the object.
`;
