/** Kinds of all other groups. */
export default `
Ingress: Routes external HTTP requests to services by host and path.
IngressSpec: Specification of an ingress.
  ingressClassName: Name of the ingress class. Absent means the default class.
  defaultBackend: Backend for requests that match no rule.
  rules: Rules by host.
  tls: TLS certificates by host.
IngressRule: Rule for one host.
  host: Host name; *.example.com matches one more label. Empty: all hosts.
  http: Backends by path.
HTTPIngressPath: Backend for a path.
  path: Path to match.
  pathType: Exact, Prefix or ImplementationSpecific.
  backend: Backend for requests that match the path.
IngressTLS: TLS certificate for some hosts.
  hosts: Host names in the certificate.
  secretName: Name of the secret with the certificate and its private key.
IngressClass: Class of ingresses, with the controller that implements it.
NetworkPolicy: Traffic that is allowed for a set of pods.
NetworkPolicySpec: Specification of a network policy.
  podSelector: Label selector of the pods to which the policy applies. Empty: all pods of the namespace.
  ingress: Allowed incoming traffic. Empty: none.
  egress: Allowed outgoing traffic. Empty: none.
  policyTypes: Directions that the policy restricts: Ingress, Egress or both.
IPAddress: IP address that is allocated to a service.
ServiceCIDR: CIDR from which addresses of services are allocated.
EndpointSlice: Subset of the endpoints of a service.
  addressType: Type of the addresses: IPv4, IPv6 or FQDN.
  endpoints: Endpoints of the slice.
  ports: Ports of all endpoints of the slice.
Role: Set of permissions in a namespace.
  rules: Permissions of the role.
ClusterRole: Set of permissions in the cluster, or in the namespace of a binding.
  rules: Permissions of the role.
  aggregationRule: Label selectors of the cluster roles whose rules are aggregated.
PolicyRule: Set of permissions. Rules only allow; nothing is denied by a rule.
  verbs: Allowed verbs; * means all.
  apiGroups: API groups of the resources; the empty string is the core group, * means all.
  resources: Resources or resource/subresource; * means all.
  resourceNames: Names of objects. Empty: all objects.
  nonResourceURLs: Paths that are not resources.
RoleBinding: Grants the permissions of a role in a namespace to users, groups or service accounts.
  subjects: Subjects that receive the permissions.
  roleRef: Role to bind. Cannot be updated.
ClusterRoleBinding: Grants the permissions of a cluster role in the whole cluster to users, groups or service accounts.
  subjects: Subjects that receive the permissions.
  roleRef: Role to bind. Cannot be updated.
Subject: User, group or service account.
  kind: User, Group or ServiceAccount.
  apiGroup: API group of the kind.
  name: Name of the user, group or service account.
  namespace: Namespace of a service account.
RoleRef: Reference to the role of a binding.
StorageClass: Class of storage, with the parameters for provisioning volumes.
  provisioner: Provisioner of the volumes.
  parameters: Parameters of the provisioner.
  reclaimPolicy: Reclaim policy of the volumes: Delete or Retain. Default: Delete.
  volumeBindingMode: Immediate, or WaitForFirstConsumer to bind when a pod uses the claim.
  allowVolumeExpansion: Whether claims can be expanded.
  mountOptions: Mount options of the volumes.
VolumeAttachment: Request to attach a volume to a node, or its attachment.
VolumeAttributesClass: Class of volume attributes that can be changed after provisioning.
CSIDriver: CSI driver that is installed in the cluster.
CSINode: CSI drivers that are installed on a node.
CSIStorageCapacity: Available capacity of a storage class in a topology segment.
PriorityClass: Maps a name to a priority of pods.
  value: Priority. Pods with a higher value take precedence.
  globalDefault: Whether the class is the default of pods without a priority class.
  preemptionPolicy: Whether pods of the class may preempt pods of lower priority: PreemptLowerPriority or Never.
RuntimeClass: Configuration of the container runtime.
  handler: Name of the runtime handler on the nodes.
Lease: Lock for leader election and heartbeats.
LeaseSpec: Specification of a lease.
  holderIdentity: Identity of the holder.
  leaseDurationSeconds: Seconds after renewTime at which the lease expires.
  acquireTime: Time at which the holder acquired the lease.
  renewTime: Time at which the holder last renewed the lease.
LeaseCandidate: Candidate for a lease in coordinated leader election.
CertificateSigningRequest: Request for a signed certificate.
CertificateSigningRequestSpec: Specification of a certificate signing request.
  request: PKCS #10 request in PEM.
  signerName: Name of the signer.
  usages: Requested key usages.
  expirationSeconds: Requested duration of validity in seconds.
ClusterTrustBundle: Trust anchors (root certificates) for the cluster.
CustomResourceDefinition: Definition of a custom resource.
CustomResourceDefinitionSpec: Specification of a custom resource.
  group: API group of the resource.
  names: Names of the resource and its kind.
  scope: Namespaced or Cluster.
  versions: Versions of the resource.
  conversion: Conversion of objects between versions.
  preserveUnknownFields: Whether unknown fields are kept. Deprecated: use x-kubernetes-preserve-unknown-fields in the schema.
CustomResourceDefinitionVersion: Version of a custom resource.
  name: Name of the version, such as v1.
  served: Whether the version is served.
  storage: Whether objects are stored in this version; true for exactly one version.
  schema: Schema of the objects.
  subresources: Subresources of the resource: status and scale.
  additionalPrinterColumns: Additional columns of tables.
  selectableFields: Fields that field selectors support.
JSONSchemaProps: JSON schema.
APIService: Server of a group version: this server or an extension API server.
MutatingWebhookConfiguration: Admission webhooks that may modify objects before they are stored.
ValidatingWebhookConfiguration: Admission webhooks that may reject requests.
ValidatingAdmissionPolicy: CEL expressions that validate admission requests.
ValidatingAdmissionPolicyBinding: Binds a validating admission policy to resources and parameters.
MutatingAdmissionPolicy: CEL expressions that modify objects before they are stored.
MutatingAdmissionPolicyBinding: Binds a mutating admission policy to resources and parameters.
FlowSchema: Assigns requests to a priority level.
PriorityLevelConfiguration: Limits the concurrency and the queues of the requests of a priority level.
TokenRequest: Request for a token of a service account.
TokenReview: Authenticates a token.
SelfSubjectReview: Returns the user information of the requesting user.
SubjectAccessReview: Checks whether a user or group is authorized for an action.
LocalSubjectAccessReview: Checks whether a user or group is authorized for an action in a namespace.
SelfSubjectAccessReview: Checks whether the requesting user is authorized for an action.
SelfSubjectRulesReview: Lists the actions for which the requesting user is authorized in a namespace.
DeviceClass: Class of devices with selectors and configuration.
ResourceClaim: Request for devices.
ResourceClaimTemplate: Template for the resource claims of pods.
ResourceSlice: Devices of a resource pool, published by a driver.
StorageVersion: Storage versions of a resource by API server.
StorageVersionMigration: Migration of stored objects to the current storage version.
`;
