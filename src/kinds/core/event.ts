import type { Event } from '../../model/generated/core-v1.ts';
import { nameIsPathSegment, nameIsSubdomain } from '../../model/name-syntax.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { FieldSelectors, Strategy, StrategyContext } from '../strategy.ts';
import { validateObjectMeta, validateObjectMetaChange } from '../validation/object-meta.ts';
import { eventTable } from './event-table.ts';
import { validateEvent, validateEventsApiEvent, validateEventsApiEventUpdate } from './event-validation.ts';

const EVENTS_GROUP = 'events.k8s.io';

const REFERENCE_MEMBERS = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

/** Field selectors of the object that an event is about, below a label. */
export const referenceSelectors = (label: string): FieldSelectors =>
  Object.fromEntries(
    REFERENCE_MEMBERS.map((member) => [`${label}.${member}`, textAt('involvedObject', member)]),
  );

const isStrict = ({ group }: StrategyContext): boolean => group === EVENTS_GROUP;

/**
 * Strategy of events. Both APIs share one stored kind, core v1.
 * @param ttlSeconds time to live of an event in the store
 */
export const eventStrategy = (ttlSeconds: number): Strategy => ({
  metadata: {
    allowsUnqualifiedFinalizers: true,
    // The core API accepts any name that can be in a path.
    validateName: nameIsPathSegment,
    checks: { create: 'last', update: [] },
  },
  validate: (object, context) => [
    ...validateEvent(object as Event, isStrict(context)),
    ...(isStrict(context)
      ? [
          ...validateObjectMeta(object.metadata, { namespaced: true, validateName: nameIsSubdomain }),
          ...validateEventsApiEvent(object as Event),
        ]
      : []),
  ],
  validateUpdate: (object, old, context) => [
    ...validateEvent(object as Event, isStrict(context)),
    ...(isStrict(context)
      ? [
          ...validateObjectMetaChange(object.metadata!, old.metadata!),
          ...validateEventsApiEventUpdate(object as Event, old as Event),
        ]
      : []),
  ],
  timeToLiveSeconds: () => ttlSeconds,
  createsOnUpdate: true,
  deletion: { defaultPropagation: 'None' },
});

export const events = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'events',
  kind: 'Event',
  shortNames: ['ev'],
  storage: { watchCache: false },
  strategy: ({ eventSeconds }) => eventStrategy(eventSeconds),
  fieldSelectors: {
    ...referenceSelectors('involvedObject'),
    reason: textAt('reason'),
    reportingComponent: textAt('reportingComponent'),
    source: (object) => (object as Event).source?.component || ((object as Event).reportingComponent ?? ''),
    type: textAt('type'),
  },
  table: eventTable,
});
