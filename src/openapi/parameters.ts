import { byName, type Parameter } from './document.ts';

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
});
export const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  type: 'string',
  description,
});

export const NAMESPACE = path('namespace', 'Namespace of the object; limits the scope of the request.');
export const PRETTY = query(
  'pretty',
  'string',
  'If true, JSON is indented. Default: true for browsers, curl and wget, otherwise false.',
);

const CONTINUE = query(
  'continue',
  'string',
  'Token from the previous chunk of the list, to retrieve the next chunk.',
);
const FIELD_SELECTOR = query(
  'fieldSelector',
  'string',
  'Field selector of the returned objects. Default: all objects.',
);
const LABEL_SELECTOR = query(
  'labelSelector',
  'string',
  'Label selector of the returned objects. Default: all objects.',
);
const LIMIT = query(
  'limit',
  'integer',
  'Maximum number of objects in the response. The continue token of the response retrieves the next chunk.',
);
const RESOURCE_VERSION = query(
  'resourceVersion',
  'string',
  'Resource version of the returned state. Default: the most recent.',
);
const RESOURCE_VERSION_MATCH = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is applied to a list: Exact or NotOlderThan.',
);
const SEND_INITIAL_EVENTS = query(
  'sendInitialEvents',
  'boolean',
  'If true, a watch starts with an ADDED event for each existing object, followed by a bookmark.',
);
const TIMEOUT_SECONDS = query('timeoutSeconds', 'integer', 'Timeout of the list or watch in seconds.');
const DRY_RUN = query('dryRun', 'string', 'If All, the request is processed without storing the result.');
const FIELD_MANAGER = query('fieldManager', 'string', 'Name of the field manager that makes the change.');
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'Handling of unknown and duplicate fields: Ignore, Warn or Strict. Default: Warn.',
);
const GRACE_PERIOD = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds before the object is removed. Zero means immediately.',
);
const IGNORE_READ_ERROR = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'If true, deletes an object that cannot be decoded, ignoring finalizers and preconditions. May break the cluster.',
);
const ORPHAN = query(
  'orphanDependents',
  'boolean',
  'Whether dependents are orphaned. Deprecated: use propagationPolicy.',
);
const PROPAGATION = query(
  'propagationPolicy',
  'string',
  'Garbage collection of dependents: Orphan, Background or Foreground.',
);

export const WATCHING: readonly Parameter[] = byName([
  query(
    'allowWatchBookmarks',
    'boolean',
    'If true, the watch may send bookmark events, which contain only a resource version.',
  ),
  CONTINUE,
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  LIMIT,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT_SECONDS,
  query('watch', 'boolean', 'If true, streams changes instead of returning a list.'),
]);
export const WRITING: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
export const PATCHING: readonly Parameter[] = [
  ...WRITING,
  query(
    'force',
    'boolean',
    'If true, an apply takes ownership of fields of other managers instead of failing with a conflict.',
  ),
];
export const DELETING: readonly Parameter[] = [DRY_RUN, GRACE_PERIOD, IGNORE_READ_ERROR, ORPHAN, PROPAGATION];
export const DELETING_COLLECTION: readonly Parameter[] = byName([
  ...DELETING,
  CONTINUE,
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  LIMIT,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT_SECONDS,
]);
