/** Kinds of all other groups. */
export default `
Ingress: Routes HTTP requests from outside to services, by host and path.
IngressSpec: What is routed where.
  ingressClassName: Class whose controller serves it. Unset: the default class.
  defaultBackend: Where requests go that no rule fits.
  rules: What is routed, by host.
  tls: Certificates, by host.
IngressRule: Routes of one host.
  host: Host name; *.example.com for all names below. Empty: all hosts.
  http: Routes by path.
HTTPIngressPath: Where requests for a path go.
  path: The path.
  pathType: Exact, Prefix or ImplementationSpecific.
  backend: Where they go.
IngressTLS: A certificate and its hosts.
  hosts: Host names in the certificate.
  secretName: Secret with the certificate and its key.
IngressClass: A kind of ingress and the controller that serves it.
NetworkPolicy: Says which traffic pods may have.
NetworkPolicySpec: The traffic that is allowed.
  podSelector: Labels of the pods it applies to. Empty: all of the namespace.
  ingress: Traffic that may come in. Empty: none.
  egress: Traffic that may go out. Empty: none.
  policyTypes: Ingress, Egress or both: what the policy is about.
IPAddress: An address in use by a service.
ServiceCIDR: A range of addresses for services.
EndpointSlice: Addresses and ports behind a service, in parts.
  addressType: IPv4, IPv6 or FQDN.
  endpoints: The addresses.
  ports: Ports of all of them.
Role: Rights in a namespace.
  rules: The rights.
ClusterRole: Rights in the whole cluster, or in whichever namespace they are bound.
  rules: The rights.
  aggregationRule: Collects the rights of other cluster roles, by label.
PolicyRule: Some rights. Nothing can be forbidden, only allowed.
  verbs: What may be done; * stands for everything.
  apiGroups: Groups of the resources; empty text for the core group.
  resources: Resources, or resource/subresource; * stands for all.
  resourceNames: Names of objects. Empty: all.
  nonResourceURLs: Paths that are no resources.
RoleBinding: Gives a role's rights in a namespace to users, groups or service accounts.
  subjects: Who gets the rights.
  roleRef: The role. It cannot change.
ClusterRoleBinding: Gives a cluster role's rights everywhere to users, groups or service accounts.
  subjects: Who gets the rights.
  roleRef: The role. It cannot change.
Subject: Who gets rights.
  kind: User, Group or ServiceAccount.
  apiGroup: Group of the kind.
  name: Name of the user, group or account.
  namespace: Namespace of a service account.
RoleRef: The role that is bound.
StorageClass: A kind of storage and how volumes of it are made.
  provisioner: Who makes the volumes.
  parameters: Settings for who makes them.
  reclaimPolicy: What happens to volumes when their claim is gone. Default: Delete.
  volumeBindingMode: Immediate, or WaitForFirstConsumer to see first where the pod runs.
  allowVolumeExpansion: Whether claims may grow.
  mountOptions: Options for mounting the volumes.
VolumeAttachment: A volume that is attached to a node, or should be.
VolumeAttributesClass: Attributes of volumes that may change while they are in use.
CSIDriver: A storage driver of the cluster.
CSINode: Storage drivers of a node.
CSIStorageCapacity: Free storage of a class in some part of the cluster.
PriorityClass: A name for a priority of pods.
  value: The priority; higher ones come first.
  globalDefault: Whether pods without a class get this one.
  preemptionPolicy: Whether pods of the class may drive others off.
RuntimeClass: A configuration of the container runtime.
  handler: Name of the configuration at the nodes.
Lease: Tells who holds something and for how long, for elections and signs of life.
LeaseSpec: Who holds it.
  holderIdentity: Who holds the lease.
  leaseDurationSeconds: Seconds after the last renewal at which others may take it.
  acquireTime: When it was taken.
  renewTime: When it was last renewed.
LeaseCandidate: Someone who would take a lease.
CertificateSigningRequest: Asks for a certificate.
CertificateSigningRequestSpec: What is asked for.
  request: The request in PEM.
  signerName: Who is asked to sign.
  usages: What the key may be used for.
  expirationSeconds: How long the certificate should be valid.
ClusterTrustBundle: Certificates by which others are verified.
CustomResourceDefinition: Adds a resource to the API.
CustomResourceDefinitionSpec: What the resource looks like.
  group: Group of the resource.
  names: Names of the resource and its kind.
  scope: Namespaced or Cluster.
  versions: Versions with their schemas.
  conversion: How objects are converted between versions.
  preserveUnknownFields: Whether members are kept that no schema has. Deprecated.
CustomResourceDefinitionVersion: One version of a custom resource.
  name: Name of the version, such as v1.
  served: Whether it can be asked for.
  storage: Whether objects are stored in this version; true for exactly one.
  schema: What objects look like.
  subresources: Whether it has status and scale.
  additionalPrinterColumns: Columns that kubectl shows.
  selectableFields: Fields that field selectors may name.
JSONSchemaProps: A schema of JSON values.
APIService: Says who serves a group version: this server, or a service in the cluster.
MutatingWebhookConfiguration: Webhooks that may change objects before they are stored.
ValidatingWebhookConfiguration: Webhooks that may refuse objects before they are stored.
ValidatingAdmissionPolicy: Rules that objects must fulfil, as expressions.
ValidatingAdmissionPolicyBinding: Puts a policy to use, with its parameters.
MutatingAdmissionPolicy: Changes made to objects before they are stored, as expressions.
MutatingAdmissionPolicyBinding: Puts a mutating policy to use, with its parameters.
FlowSchema: Assigns requests to a priority level.
PriorityLevelConfiguration: How many requests of a level are handled at a time, and how many wait.
TokenRequest: Asks for a token of a service account.
TokenReview: Asks whether a token is valid and whose it is.
SelfSubjectReview: Tells who the caller is.
SubjectAccessReview: Asks whether somebody may do something.
LocalSubjectAccessReview: Asks whether somebody may do something in a namespace.
SelfSubjectAccessReview: Asks whether the caller may do something.
SelfSubjectRulesReview: Lists what the caller may do in a namespace.
DeviceClass: A class of devices that claims can ask for.
ResourceClaim: Asks for devices for pods.
ResourceClaimTemplate: A template for claims of devices, one for each pod.
ResourceSlice: Devices that a node or a part of the cluster has.
StorageVersion: Versions in which servers write a resource.
StorageVersionMigration: Rewrites stored objects in the current version.
`;
