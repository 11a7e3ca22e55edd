/** Machinery that all kinds share. */
export default `
ObjectMeta: Metadata of a stored object.
  name: Name of the object, unique among objects of the same kind in a namespace. Cannot be updated.
  generateName: Prefix of the name that the server generates if name is empty.
  namespace: Namespace of the object; empty for cluster-scoped objects. Cannot be updated.
  selfLink: Deprecated; not set by the server.
  uid: Unique identifier of the object. A recreated object has a different one. Set by the server.
  resourceVersion: Opaque version of the stored object. In an update it is a precondition for optimistic concurrency. Set by the server.
  generation: Sequence number of the desired state, incremented when the specification changes. Set by the server.
  creationTimestamp: Time at which the object was created. Set by the server.
  deletionTimestamp: Time at which the object is to be removed. Set by the server when deletion is requested; the object remains until its finalizers are removed.
  deletionGracePeriodSeconds: Grace period of the deletion in seconds. Set with deletionTimestamp.
  labels: Labels for organizing and selecting objects.
  annotations: Arbitrary data that tools and users store with the object. Annotations cannot be used in selectors.
  ownerReferences: Objects that own this object. The garbage collector deletes the object when all of its owners have been deleted.
  finalizers: Finalizers that must be removed before the object is removed. Each component removes its own finalizer.
  managedFields: Field ownership by field manager, for server-side apply.
ListMeta: Metadata of a list.
  selfLink: Deprecated; not set by the server.
  resourceVersion: Resource version of the list, from which a watch can start.
  continue: Token for the next chunk of the list; empty after the last chunk.
  remainingItemCount: Number of items after this chunk. Absent for lists with selectors.
OwnerReference: Reference to an owner in the same namespace, or to a cluster-scoped owner.
  apiVersion: API version of the owner.
  kind: Kind of the owner.
  name: Name of the owner.
  uid: UID of the owner.
  controller: Whether the owner is the managing controller.
  blockOwnerDeletion: If true, the owner cannot be removed in foreground deletion before this object is removed.
LabelSelector: Selects objects by labels; all requirements must match. An empty selector matches all objects, an absent one none.
  matchLabels: Required labels with their values.
  matchExpressions: Requirements on labels.
LabelSelectorRequirement: Requirement on one label.
  key: Key of the label.
  operator: In, NotIn, Exists or DoesNotExist.
  values: Values for In and NotIn; empty for Exists and DoesNotExist.
ManagedFieldsEntry: Fields that a field manager owns through one operation.
  manager: Name of the field manager.
  operation: Apply or Update.
  apiVersion: API version of the fields.
  time: Time at which the manager last changed its fields.
  fieldsType: Format of the fields: FieldsV1.
  fieldsV1: Owned fields in the format FieldsV1.
  subresource: Subresource through which the fields were set; empty for the main resource.
FieldsV1: Set of fields as a tree: f:name for a member, k:{…} and v:… for list items.
Time: Timestamp in RFC 3339 with a precision of seconds.
MicroTime: Timestamp in RFC 3339 with a precision of microseconds.
IntOrString: Integer, or a string such as a percentage or a port name.
Quantity: Fixed-point number with an optional suffix, such as 500m, 1.5, 2Gi or 1e3.
RawExtension: Object of any type, stored unchanged.
DeleteOptions: Options of a deletion.
  gracePeriodSeconds: Seconds before the object is removed. Zero means immediately. Default: depends on the kind.
  preconditions: Conditions that must be fulfilled for the deletion.
  orphanDependents: Whether dependents are orphaned. Deprecated: use propagationPolicy.
  propagationPolicy: Garbage collection of dependents: Orphan keeps them, Background deletes them after the object, Foreground before it.
  dryRun: If All, the request is processed without storing the result.
Preconditions: Conditions that must be fulfilled before an operation is carried out.
  uid: Required UID of the object.
  resourceVersion: Required resource version of the object.
Status: Result of a request that does not return another object.
  status: Success or Failure.
  message: Human-readable description of the result.
  reason: Machine-readable reason of a failure.
  details: Additional data about the reason.
  code: HTTP status code of the response.
StatusDetails: Additional data about a failure.
  causes: Causes of the failure.
  retryAfterSeconds: Seconds to wait before a retry.
StatusCause: One cause of a failure.
  field: Path of the field that caused the failure, such as spec.containers[0].name.
WatchEvent: Event of a watch.
  type: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.
  object: State of the object after the change, its last state for DELETED, or a Status for ERROR.
Condition: Condition of an object.
  type: Type of the condition.
  status: True, False or Unknown.
APIGroup: API group with its versions.
APIGroupList: List of the API groups.
APIResource: Resource of a group version.
APIResourceList: List of the resources of a group version.
APIVersions: Versions of the core group.
Scale: Scale of a resource.
ScaleSpec: Specification of a scale.
  replicas: Desired number of replicas.
ScaleStatus: Status of a scale.
  replicas: Observed number of replicas.
  selector: Label selector of the replicas in string form.
`;
