/** Machinery that all kinds share. */
export default `
ObjectMeta: What every stored object has: its identity, and data about it.
  name: Name of the object, unique among objects of its kind in its namespace. It cannot change.
  generateName: Beginning of a name that the server completes with random characters when no name is given.
  namespace: Space in which the name must be unique. Empty for objects of the whole cluster. It cannot change.
  selfLink: No longer filled in.
  uid: Identity of this object in time and space: one that is created again under the same name has another. Set by the server.
  resourceVersion: Version of the stored object. Sent back with an update, it protects against overwriting what another has changed. Opaque.
  generation: Number that is raised when what is wanted changes. Set by the server.
  creationTimestamp: When the object was created. Set by the server.
  deletionTimestamp: When the object is to be gone. Set by the server once deletion was asked for; the object stays until its finalizers are removed.
  deletionGracePeriodSeconds: Seconds the object may take to end before it is removed. Set with deletionTimestamp.
  labels: Keys and values by which objects are sorted and selected.
  annotations: Keys and values that tools and people store with the object. They cannot be selected by.
  ownerReferences: Objects this one belongs to. When all of them are gone, it is deleted too.
  finalizers: Names of those who must do their work before the object can be removed. Each removes its own name when done.
  managedFields: Who set which field, as server-side apply needs to know.
ListMeta: What a list says about itself.
  selfLink: No longer filled in.
  resourceVersion: Version of the store that the list shows; a watch can begin there.
  continue: Token for the next part of a list that was cut short. Empty at its end.
  remainingItemCount: How many objects about follow in later parts. Not known for lists with selectors.
OwnerReference: An object that another belongs to. It is in the same namespace, or in none.
  apiVersion: API version of the owner.
  kind: Kind of the owner.
  name: Name of the owner.
  uid: Identity of the owner.
  controller: Whether this owner is the one that manages the object.
  blockOwnerDeletion: Whether the owner, deleted in the foreground, stays until this object is gone.
LabelSelector: Selects objects by their labels: all conditions must hold. An empty selector selects everything, an absent one nothing.
  matchLabels: Labels that must have these values.
  matchExpressions: Further conditions on labels.
LabelSelectorRequirement: A condition on one label.
  key: The label.
  operator: In, NotIn, Exists or DoesNotExist.
  values: Values for In and NotIn; none for the others.
ManagedFieldsEntry: Fields that one manager set by one operation.
  manager: Name of who set them.
  operation: Apply, or Update for everything else.
  apiVersion: Version in which the fields are named.
  time: When the set of fields was last changed.
  fieldsType: Form of the fields: FieldsV1.
  fieldsV1: The fields, as a tree of their names.
  subresource: Subresource through which they were set.
FieldsV1: A set of fields as a tree: f:name for a member, k:{…} and v:… for items of lists.
Time: Point in time with a precision of seconds, as RFC 3339 text.
MicroTime: Point in time with a precision of microseconds, as RFC 3339 text.
IntOrString: A whole number, or text such as a percentage or the name of a port.
Quantity: A number with a unit, such as 500m, 1.5, 2Gi or 1e3.
RawExtension: Any object, kept as it is.
DeleteOptions: How something is to be deleted.
  gracePeriodSeconds: Seconds the object may take to end. Zero: at once. The kind decides when unset.
  preconditions: What must hold for the deletion to happen.
  orphanDependents: Older form of propagationPolicy: whether dependents stay.
  propagationPolicy: What happens to dependents: Orphan leaves them, Background deletes them afterwards, Foreground before.
  dryRun: All: nothing is really deleted.
Preconditions: What must hold for an operation to be carried out.
  uid: The object must have this identity.
  resourceVersion: The object must have this version.
Status: Outcome of a request that has no object to answer with.
  status: Success or Failure.
  message: What happened, for people.
  reason: Why it failed, as one word for programs.
  details: More about the reason, by reason.
  code: HTTP status of the answer.
StatusDetails: What a failure is about.
  causes: The single errors.
  retryAfterSeconds: Seconds after which another attempt makes sense.
StatusCause: One error of several.
  field: Where it is, as a path such as spec.containers[0].name.
WatchEvent: One change seen by a watch.
  type: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.
  object: The object after the change; the last state of one deleted; a Status with ERROR.
Condition: One aspect of an object's state.
  type: Name of the aspect.
  status: True, False or Unknown.
APIGroup: A group of the API with its versions.
APIGroupList: All groups of the API.
APIResource: A resource of a group version.
APIResourceList: The resources of a group version.
APIVersions: Versions of the core group.
Scale: How many replicas something has, for whatever can be scaled.
ScaleSpec: How many replicas are wanted.
  replicas: Number of replicas wanted.
ScaleStatus: How many replicas there are.
  replicas: Number of replicas observed.
  selector: Labels of the replicas, as text.
`;
