/** Types that kinds of several groups share: metadata, lists, options, references. */
export const META: Readonly<Record<string, string>> = {
  ObjectMeta: 'Metadata of a stored object.',
  'ObjectMeta.name':
    'Name of the object, unique among objects of the same kind in a namespace. Cannot be updated.',
  'ObjectMeta.generateName': 'Prefix of the name that the server generates if name is empty.',
  'ObjectMeta.namespace': 'Namespace of the object; empty for cluster-scoped objects. Cannot be updated.',
  'ObjectMeta.selfLink': 'Deprecated; not set by the server.',
  'ObjectMeta.uid':
    'Unique identifier of the object. A recreated object has a different one. Set by the server.',
  'ObjectMeta.resourceVersion':
    'Opaque version of the stored object. In an update it is a precondition for optimistic concurrency. Set by the server.',
  'ObjectMeta.generation':
    'Sequence number of the desired state, incremented when the specification changes. Set by the server.',
  'ObjectMeta.creationTimestamp':
    'CreationTimestamp is a timestamp of the creation of the object. Set by the server.',
  'ObjectMeta.deletionTimestamp':
    'Time at which the object is to be removed. Set by the server when deletion is requested; the object remains until its finalizers are removed.',
  'ObjectMeta.deletionGracePeriodSeconds':
    'Grace period of the deletion in seconds. Set with deletionTimestamp.',
  'ObjectMeta.labels': 'Labels for organizing and selecting objects.',
  'ObjectMeta.annotations':
    'Arbitrary data that tools and users store with the object. Annotations cannot be used in selectors.',
  'ObjectMeta.ownerReferences':
    'Objects that own this object. The garbage collector deletes the object when all of its owners have been deleted.',
  'ObjectMeta.finalizers':
    'Finalizers that must be removed before the object is removed. Each component removes its own finalizer.',
  'ObjectMeta.managedFields': 'Field ownership by field manager, for server-side apply.',
  ListMeta: 'Metadata of a list.',
  'ListMeta.selfLink': 'Deprecated; not set by the server.',
  'ListMeta.resourceVersion': 'Resource version of the list, from which a watch can start.',
  'ListMeta.continue': 'Token for the next chunk of the list; empty after the last chunk.',
  'ListMeta.remainingItemCount': 'Number of items after this chunk. Absent for lists with selectors.',
  OwnerReference: 'Reference to an owner in the same namespace, or to a cluster-scoped owner.',
  'OwnerReference.apiVersion': 'API version of the owner.',
  'OwnerReference.kind': 'Kind of the owner.',
  'OwnerReference.name': 'Name of the owner.',
  'OwnerReference.uid': 'UID of the owner.',
  'OwnerReference.controller': 'Whether the owner is the managing controller.',
  'OwnerReference.blockOwnerDeletion':
    'If true, the owner cannot be removed in foreground deletion before this object is removed.',
  LabelSelector:
    'Selects objects by labels; all requirements must match. An empty selector matches all objects, an absent one none.',
  'LabelSelector.matchLabels': 'Required labels with their values.',
  'LabelSelector.matchExpressions': 'Requirements on labels.',
  LabelSelectorRequirement: 'Requirement on one label.',
  'LabelSelectorRequirement.key': 'Key of the label.',
  'LabelSelectorRequirement.operator': 'In, NotIn, Exists or DoesNotExist.',
  'LabelSelectorRequirement.values': 'Values for In and NotIn; empty for Exists and DoesNotExist.',
  ManagedFieldsEntry: 'Fields that a field manager owns through one operation.',
  'ManagedFieldsEntry.manager': 'Name of the field manager.',
  'ManagedFieldsEntry.operation': 'Apply or Update.',
  'ManagedFieldsEntry.apiVersion': 'API version of the fields.',
  'ManagedFieldsEntry.time': 'Time at which the manager last changed its fields.',
  'ManagedFieldsEntry.fieldsType': 'Format of the fields: FieldsV1.',
  'ManagedFieldsEntry.fieldsV1': 'Owned fields in the format FieldsV1.',
  'ManagedFieldsEntry.subresource':
    'Subresource through which the fields were set; empty for the main resource.',
  FieldsV1: 'Set of fields as a tree: f:name for a member, k:{…} and v:… for list items.',
  // Documents of extension servers have these texts too: equal definitions are merged.
  Time: 'Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON.  Wrappers are provided for many of the factory methods that the time package offers.',
  MicroTime: 'MicroTime is version of Time with microsecond level precision.',
  IntOrString: 'Integer, or a string such as a percentage or a port name.',
  Quantity: 'Fixed-point number with an optional suffix, such as 500m, 1.5, 2Gi or 1e3.',
  RawExtension: 'Object of any type, stored unchanged.',
  DeleteOptions: 'Options of a deletion.',
  'DeleteOptions.gracePeriodSeconds':
    'Seconds before the object is removed. Zero means immediately. Default: depends on the kind.',
  'DeleteOptions.preconditions': 'Conditions that must be fulfilled for the deletion.',
  'DeleteOptions.orphanDependents': 'Whether dependents are orphaned. Deprecated: use propagationPolicy.',
  'DeleteOptions.propagationPolicy':
    'Garbage collection of dependents: Orphan keeps them, Background deletes them after the object, Foreground before it.',
  'DeleteOptions.dryRun': 'If All, the request is processed without storing the result.',
  Preconditions: 'Conditions that must be fulfilled before an operation is carried out.',
  'Preconditions.uid': 'Required UID of the object.',
  'Preconditions.resourceVersion': 'Required resource version of the object.',
  Status: 'Result of a request that does not return another object.',
  'Status.status': 'Success or Failure.',
  'Status.message': 'Human-readable description of the result.',
  'Status.reason': 'Machine-readable reason of a failure.',
  'Status.details': 'Additional data about the reason.',
  'Status.code': 'HTTP status code of the response.',
  StatusDetails: 'Additional data about a failure.',
  'StatusDetails.causes': 'Causes of the failure.',
  'StatusDetails.retryAfterSeconds': 'Seconds to wait before a retry.',
  StatusCause: 'One cause of a failure.',
  'StatusCause.field': 'Path of the field that caused the failure, such as spec.containers[0].name.',
  WatchEvent: 'Event of a watch.',
  'WatchEvent.type': 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.',
  'WatchEvent.object':
    'State of the object after the change, its last state for DELETED, or a Status for ERROR.',
  Condition: 'Condition of an object.',
  'Condition.type': 'Type of the condition.',
  'Condition.status': 'True, False or Unknown.',
  Scale: 'Scale of a resource.',
  ScaleSpec: 'Specification of a scale.',
  'ScaleSpec.replicas': 'Desired number of replicas.',
  ScaleStatus: 'Status of a scale.',
  'ScaleStatus.replicas': 'Observed number of replicas.',
  'ScaleStatus.selector': 'Label selector of the replicas in string form.',
  ObjectReference: 'Reference to an object.',
  LocalObjectReference: 'Reference to an object in the same namespace.',
  'LocalObjectReference.name': 'Name of the object.',
};
