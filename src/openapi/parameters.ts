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

export const NAMESPACE = path('namespace', 'Namespace of the object, and what the request is limited to.');
export const PRETTY = query(
  'pretty',
  'string',
  'Whether JSON is indented. Browsers, curl and wget get it so unless they say false.',
);

const CONTINUE = query('continue', 'string', 'Token of the previous part of a list in parts.');
const FIELD_SELECTOR = query(
  'fieldSelector',
  'string',
  'Limits the answer to objects with these values of fields.',
);
const LABEL_SELECTOR = query('labelSelector', 'string', 'Limits the answer to objects with these labels.');
const LIMIT = query(
  'limit',
  'integer',
  'Most objects in the answer; the rest can be had with its continue token.',
);
const RESOURCE_VERSION = query(
  'resourceVersion',
  'string',
  'State of the store the answer is to be taken from. Unset: the most recent.',
);
const RESOURCE_VERSION_MATCH = query(
  'resourceVersionMatch',
  'string',
  'Whether resourceVersion is to be met exactly, or is the oldest allowed.',
);
const SEND_INITIAL_EVENTS = query(
  'sendInitialEvents',
  'boolean',
  'Whether a watch begins with an event for each object that exists, ended by a bookmark.',
);
const TIMEOUT_SECONDS = query('timeoutSeconds', 'integer', 'Limits the duration of the call.');
const DRY_RUN = query('dryRun', 'string', 'All: the request is processed, but nothing is stored.');
const FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'Name of who makes the change, for the ownership of fields.',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'What happens to unknown and repeated fields: Ignore, Warn or Strict.',
);
const GRACE_PERIOD = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds before the object is deleted. Zero: at once.',
);
const IGNORE_READ_ERROR = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'Deletes an object that cannot be read any more, without finalizers and preconditions. May break the cluster.',
);
const ORPHAN = query(
  'orphanDependents',
  'boolean',
  'Older form of propagationPolicy: whether dependents stay.',
);
const PROPAGATION = query(
  'propagationPolicy',
  'string',
  'What happens to dependents: Orphan, Background or Foreground.',
);

export const WATCHING: readonly Parameter[] = byName([
  query(
    'allowWatchBookmarks',
    'boolean',
    'Whether a watch may send bookmarks: events that tell a version only.',
  ),
  CONTINUE,
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  LIMIT,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT_SECONDS,
  query('watch', 'boolean', 'Whether changes are sent as they happen, instead of a list.'),
]);
export const WRITING: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
export const PATCHING: readonly Parameter[] = [
  ...WRITING,
  query('force', 'boolean', 'Whether an apply takes over fields that others own.'),
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
