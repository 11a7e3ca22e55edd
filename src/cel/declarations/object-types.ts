import {
  ANY,
  BOOL,
  DYN,
  type FieldType,
  INT,
  list,
  map,
  type ObjectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../types.ts';
import { QUANTITY } from './opaque-types.ts';

function objectType(name: string, fields: Readonly<Record<string, Type>>): ObjectType {
  const table = new Map(
    Object.entries(fields).map(([field, type]): [string, FieldType] => [field, { type }]),
  );
  return { kind: 'object', name, field: (field) => table.get(field) };
}

const STRINGS = list(STRING);
const STRING_MAP = map(STRING, STRING);
const EXTRA = map(STRING, STRINGS);

const GROUP_VERSION_KIND = objectType('kubernetes.GroupVersionKind', {
  group: STRING,
  version: STRING,
  kind: STRING,
});
const GROUP_VERSION_RESOURCE = objectType('kubernetes.GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
});

/** The user of a request. */
export const USER_INFO = objectType('kubernetes.UserInfo', {
  username: STRING,
  uid: STRING,
  groups: STRINGS,
  extra: EXTRA,
});

/** An admission request; the objects are separate variables. */
export const ADMISSION_REQUEST = objectType('kubernetes.AdmissionRequest', {
  kind: GROUP_VERSION_KIND,
  requestKind: GROUP_VERSION_KIND,
  resource: GROUP_VERSION_RESOURCE,
  requestResource: GROUP_VERSION_RESOURCE,
  subResource: STRING,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER_INFO,
  dryRun: BOOL,
  options: DYN,
});

/** The namespace of an object. Its identifier is spelled `UID`. */
export const NAMESPACE = objectType('kubernetes.Namespace', {
  metadata: objectType('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: STRING_MAP,
    annotations: STRING_MAP,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: STRINGS }),
  status: objectType('kubernetes.NamespaceStatus', {
    phase: STRING,
    conditions: list(
      objectType('kubernetes.NamespaceCondition', {
        type: STRING,
        status: STRING,
        reason: STRING,
        message: STRING,
        lastTransitionTime: TIMESTAMP,
      }),
    ),
  }),
});

/** A device in a device selector. Attributes and capacities are grouped by domain. */
export const DEVICE = objectType('kubernetes.DRADevice', {
  driver: STRING,
  attributes: map(STRING, map(STRING, ANY)),
  capacity: map(STRING, map(STRING, QUANTITY)),
});

const SELECTOR = {
  rawSelector: STRING,
  requirements: list(
    objectType('kubernetes.SelectorRequirement', { key: STRING, operator: STRING, values: STRINGS }),
  ),
};

/** The request that an authorization webhook decides on. */
export const SUBJECT_ACCESS_REVIEW_SPEC = objectType('kubernetes.SubjectAccessReviewSpec', {
  resourceAttributes: objectType('kubernetes.ResourceAttributes', {
    namespace: STRING,
    verb: STRING,
    group: STRING,
    version: STRING,
    resource: STRING,
    subresource: STRING,
    name: STRING,
    fieldSelector: objectType('kubernetes.FieldSelectorAttributes', SELECTOR),
    labelSelector: objectType('kubernetes.LabelSelectorAttributes', SELECTOR),
  }),
  nonResourceAttributes: objectType('kubernetes.NonResourceAttributes', { path: STRING, verb: STRING }),
  user: STRING,
  groups: STRINGS,
  extra: EXTRA,
  uid: STRING,
});
