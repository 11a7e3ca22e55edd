import { byName, type Parameter } from './document.ts';

/** @param id distinguishes shared parameters of a name */
const query = (name: string, type: Parameter['type'], description: string, id?: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
  ...(id === undefined ? {} : { shared: `${name}-${id}` }),
});
export const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  type: 'string',
  description,
});

export const NAMESPACE: Parameter = {
  ...path('namespace', 'Namespace of the object; limits the scope of the request.'),
  shared: 'namespace-vgWSWtn3',
};
export const PRETTY = query(
  'pretty',
  'string',
  'If true, JSON is indented. Default: true for browsers, curl and wget, otherwise false.',
  'tJGM1-ng',
);

const CONTINUE = query(
  'continue',
  'string',
  'Token from the previous chunk of the list, to retrieve the next chunk.',
  'QfD61s0i',
);
const FIELD_SELECTOR = query(
  'fieldSelector',
  'string',
  'Field selector of the returned objects. Default: all objects.',
  'xIcQKXFG',
);
const LABEL_SELECTOR = query(
  'labelSelector',
  'string',
  'Label selector of the returned objects. Default: all objects.',
  '5Zw57w4C',
);
const LIMIT = query(
  'limit',
  'integer',
  'Maximum number of objects in the response. The continue token of the response retrieves the next chunk.',
  '1NfNmdNH',
);
const RESOURCE_VERSION = query(
  'resourceVersion',
  'string',
  'Resource version of the returned state. Default: the most recent.',
  '5WAnf1kx',
);
const RESOURCE_VERSION_MATCH = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is applied to a list: Exact or NotOlderThan.',
  't8XhRHeC',
);
const SEND_INITIAL_EVENTS = query(
  'sendInitialEvents',
  'boolean',
  'If true, a watch starts with an ADDED event for each existing object, followed by a bookmark.',
  'rLXlEK_k',
);
const TIMEOUT_SECONDS = query(
  'timeoutSeconds',
  'integer',
  'Timeout of the list or watch in seconds.',
  'yvYezaOC',
);
const DRY_RUN = query('dryRun', 'string', 'If All, the request is processed without storing the result.');
const FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'Name of the field manager that makes the change.',
  'Qy4HdaTW',
);
const PATCHING_FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'Name of the field manager that makes the change. Required for an apply.',
  '7c6nTn1T',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'Handling of unknown and duplicate fields: Ignore, Warn or Strict. Default: Warn.',
);
const GRACE_PERIOD = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds before the object is removed. Zero means immediately.',
  '-K5HaBOS',
);
const IGNORE_READ_ERROR = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'If true, deletes an object that cannot be decoded, ignoring finalizers and preconditions. May break the cluster.',
  'QbNkfIqj',
);
const ORPHAN = query(
  'orphanDependents',
  'boolean',
  'Whether dependents are orphaned. Deprecated: use propagationPolicy.',
  'uRB25kX5',
);
const PROPAGATION = query(
  'propagationPolicy',
  'string',
  'Garbage collection of dependents: Orphan, Background or Foreground.',
  '6jk3prlO',
);

const LISTING: readonly Parameter[] = [
  CONTINUE,
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  LIMIT,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT_SECONDS,
];

export const WATCHING: readonly Parameter[] = byName([
  query(
    'allowWatchBookmarks',
    'boolean',
    'If true, the watch may send bookmark events, which contain only a resource version.',
    'HC2hJt-J',
  ),
  ...LISTING,
  query('watch', 'boolean', 'If true, streams changes instead of returning a list.', 'XNNPZGbK'),
]);
export const WRITING: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
/** Parameters of a GET of a custom object. */
export const READING: readonly Parameter[] = [RESOURCE_VERSION];
export const PATCHING: readonly Parameter[] = [
  DRY_RUN,
  PATCHING_FIELD_MANAGER,
  FIELD_VALIDATION,
  query(
    'force',
    'boolean',
    'If true, an apply takes ownership of fields of other managers instead of failing with a conflict.',
    'tOGGb0Yi',
  ),
];
export const DELETING: readonly Parameter[] = [DRY_RUN, GRACE_PERIOD, IGNORE_READ_ERROR, ORPHAN, PROPAGATION];
export const DELETING_COLLECTION: readonly Parameter[] = byName([...DELETING, ...LISTING]);

/** Identifiers of the shared parameters for the options of connections and logs, by kind. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodAttachOptions: {
    container: '_Q-EJ3nR',
    stderr: '26jJhFUR',
    stdin: 'sEFnN3IS',
    stdout: '005YMKE6',
    tty: 'g7MlET_l',
  },
  PodExecOptions: {
    command: 'Py3eQybp',
    container: 'i5dOmRiM',
    stderr: 'W_1TNlWc',
    stdin: 'PSzNhyUC',
    stdout: '-EZLRwV1',
    tty: 's0flW37O',
  },
  PodLogOptions: {
    container: '1GeXxFDC',
    follow: '9OIXh_2R',
    insecureSkipTLSVerifyBackend: 'gM00jVbe',
    limitBytes: 'zwd1RXuc',
    previous: '1jxDPu3y',
    sinceSeconds: 'vE2NLdnP',
    stream: 'l-48cgXv',
    tailLines: '9xQLWHMV',
    timestamps: 'c17fW1w_',
  },
  PodPortForwardOptions: { ports: '91KROJmm' },
  PodProxyOptions: { path: 'oPbzgLUj' },
  ServiceProxyOptions: { path: 'QCf0eosM' },
  NodeProxyOptions: { path: 'rFDtV0x9' },
};

/** The name under which operations share a parameter of an options kind; undefined if they do not. */
export function sharedOption(kind: string, name: string): string | undefined {
  const id = Object.hasOwn(OPTIONS, kind) ? OPTIONS[kind]![name] : undefined;
  return id === undefined ? undefined : `${name}-${id}`;
}

/** The path below a proxied pod, service or node. */
export const PROXIED_PATH: Parameter = { ...path('path', 'path to the resource'), shared: 'path-z6Ciiujn' };
