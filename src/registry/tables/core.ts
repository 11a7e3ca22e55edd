import type {
  ComponentStatus,
  ConfigMap,
  Event,
  Namespace,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../../model/generated/core-v1.ts';
import { AgeCell, type Cell } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from './define.ts';
import { size } from './format.ts';

export const namespaces = table<Namespace>(
  [NAME, column('Status', 'Phase of the namespace.'), AGE],
  (object) => [nameOf(object), object.status?.phase ?? '', ageOf(object)],
);

export const configMaps = table<ConfigMap>([NAME, column('Data', 'Number of entries.'), AGE], (object) => [
  nameOf(object),
  size(object.data) + size(object.binaryData),
  ageOf(object),
]);

export const secrets = table<Secret>(
  [NAME, column('Type', 'Type of the secret.'), column('Data', 'Number of entries.'), AGE],
  (object) => [nameOf(object), object.type ?? '', size(object.data), ageOf(object)],
);

export const serviceAccounts = table<ServiceAccount>(
  [NAME, column('Secrets', 'Number of secrets that pods of the account may use.'), AGE],
  (object) => [nameOf(object), object.secrets?.length ?? 0, ageOf(object)],
);

export const componentStatuses = table<ComponentStatus>(
  [
    NAME,
    column('Status', 'Whether the component is healthy.'),
    column('Message', 'Message of the health check.'),
    column('Error', 'Error of the health check.'),
  ],
  (object) => {
    const health = object.conditions?.find(({ type }) => type === 'Healthy');
    return [
      nameOf(object),
      health === undefined ? 'Unknown' : health.status === 'True' ? 'Healthy' : 'Unhealthy',
      health?.message ?? '',
      health?.error ?? '',
    ];
  },
);

/** Formats `used/hard` of limits, or of all other resources. */
function quotaUse({ status }: ResourceQuota, limits: boolean): string {
  const { hard = {}, used = {} } = status ?? {};
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${Object.hasOwn(used, name) ? used[name] : '0'}/${hard[name]}`)
    .join(', ');
}

export const resourceQuotas = table<ResourceQuota>(
  [NAME, AGE, column('Request', 'Used and allowed requests.'), column('Limit', 'Used and allowed limits.')],
  (object) => [nameOf(object), ageOf(object), quotaUse(object, false), quotaUse(object, true)],
);

/** An event in core v1 or in events.k8s.io/v1, which renames some members. */
type AnyEvent = Event & {
  regarding?: Event['involvedObject'];
  note?: string;
  reportingController?: string;
  deprecatedSource?: Event['source'];
  deprecatedFirstTimestamp?: string | null;
  deprecatedLastTimestamp?: string | null;
  deprecatedCount?: number;
};

function eventCells(event: AnyEvent): Cell[] {
  const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? event.regarding ?? {};
  const source = event.source ?? event.deprecatedSource;
  const component = source?.component || event.reportingComponent || event.reportingController || '';
  const host = source?.host || event.reportingInstance || '';
  const first = (event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime) || undefined;
  const last = (event.lastTimestamp ?? event.deprecatedLastTimestamp) || first;
  return [
    new AgeCell(event.series === undefined ? last : (event.series.lastObservedTime ?? undefined)),
    event.type ?? '',
    event.reason ?? '',
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
    fieldPath,
    host === '' ? component : `${component}, ${host}`,
    (event.message ?? event.note ?? '').trim(),
    new AgeCell(first),
    event.series === undefined ? (event.count ?? event.deprecatedCount) || 1 : (event.series.count ?? 0),
    nameOf(event),
  ];
}

export const events = table<AnyEvent>(
  [
    column('Last Seen', 'Time since the last occurrence.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Short reason of the event.'),
    column('Object', 'Object that the event is about.'),
    wide('Subobject', 'Part of the object that the event is about.'),
    wide('Source', 'Component that reported the event.'),
    column('Message', 'Human-readable description.'),
    wide('First Seen', 'Time since the first occurrence.'),
    wide('Count', 'Number of occurrences.'),
    wide('Name', 'Name of the event.', 'string', 'name'),
  ],
  eventCells,
);
