import type { APIService } from '../../model/generated/apiregistration-v1.ts';
import type { StorageVersion } from '../../model/generated/apiserverinternal-v1alpha1.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../model/generated/flowcontrol-v1.ts';
import type { StorageVersionMigration } from '../../model/generated/storagemigration-v1alpha1.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';
import { conditionStatus, firstOf } from './format.ts';

function availability({ status }: APIService): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status ?? ''} (${condition.reason ?? ''})`;
}

export const apiServices = table<APIService>(
  [
    NAME,
    column('Service', 'Service that serves the API, or Local.'),
    column('Available', 'Whether the API is available, and the reason if not.'),
    AGE,
  ],
  (object) => {
    const service = object.spec?.service;
    return [
      nameOf(object),
      service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
      availability(object),
      ageOf(object),
    ];
  },
);

const flowSchemaCells = table<FlowSchema>(
  [
    NAME,
    column('PriorityLevel', 'Priority level of its requests.'),
    column('MatchingPrecedence', 'Schemas with lower precedence match first.'),
    column('DistinguisherMethod', 'How flows are distinguished.'),
    AGE,
    column('MissingPL', 'Whether the priority level is missing.'),
  ],
  (object) => [
    nameOf(object),
    object.spec?.priorityLevelConfiguration?.name ?? '',
    object.spec?.matchingPrecedence ?? 0,
    object.spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(object),
    conditionStatus(object.status?.conditions, 'Dangling') ?? '?',
  ],
);

/** Compares flow schemas in matching order. */
function compareFlowSchemas(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return difference !== 0 ? difference : nameOf(a) < nameOf(b) ? -1 : 1;
}

export const flowSchemas = { ...flowSchemaCells, compare: compareFlowSchemas };

export const priorityLevelConfigurations = table<PriorityLevelConfiguration>(
  [
    NAME,
    column('Type', 'Limited or exempt.'),
    column('NominalConcurrencyShares', 'Nominal concurrency shares.'),
    column('Queues', 'Number of queues.'),
    column('HandSize', 'Number of queues in the hand of a flow.'),
    column('QueueLengthLimit', 'Maximum number of requests in a queue.'),
    AGE,
  ],
  (object) => {
    const { type = '', limited } = object.spec ?? {};
    const queuing = limited?.limitResponse?.queuing;
    const amount = (count: number | undefined) => (queuing === undefined ? '<none>' : (count ?? 0));
    return [
      nameOf(object),
      type,
      limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
      amount(queuing?.queues),
      amount(queuing?.handSize),
      amount(queuing?.queueLengthLimit),
      ageOf(object),
    ];
  },
);

export const storageVersions = table<StorageVersion>(
  [
    NAME,
    column('CommonEncodingVersion', 'Encoding version that all servers use.'),
    column('StorageVersions', 'Encoding version of each server.'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    object.status?.commonEncodingVersion ?? '<unset>',
    firstOf(
      (object.status?.storageVersions ?? [])
        .map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`)
        .sort(),
      3,
      '<unset>',
    ),
    ageOf(object),
  ],
);

export const storageVersionMigrations = table<StorageVersionMigration>(
  [column('Name', 'Name of the object.'), column('Resource', 'Resource to migrate.')],
  (object) => {
    const { group = '', version = '', resource = '' } = object.spec?.resource ?? {};
    return [nameOf(object), [resource, version, group].filter((part) => part !== '').join('.')];
  },
);
