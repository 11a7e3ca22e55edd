import type { Event } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { validateBuiltinFinalizers } from '../../validation/object-meta.ts';
import { validateEvent, validateEventsApiEvent, validateEventsApiEventUpdate } from './event-validation.ts';

const EVENTS_GROUP = 'events.k8s.io';
const EVENT_TTL_SECONDS = 3600;

type Selector = readonly [label: string, value: (event: Event) => string | undefined];
const REFERENCE_MEMBERS = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;
const referenceSelectors = (label: string): Selector[] =>
  REFERENCE_MEMBERS.map((member) => [`${label}.${member}`, ({ involvedObject }) => involvedObject?.[member]]);
const toSelectableFields = (selectors: readonly Selector[]): NonNullable<Strategy['selectableFields']> =>
  Object.fromEntries(
    selectors.map(([label, value]) => [label, (object: KubernetesObject) => value(object as Event) ?? '']),
  );
const COMMON_SELECTORS: readonly Selector[] = [
  ['reason', ({ reason }) => reason],
  ['type', ({ type }) => type],
];

const isStrict = ({ group }: StrategyContext): boolean => group === EVENTS_GROUP;

/**
 * Strategy of events. Both APIs share one stored kind, core v1.
 * @param ttlSeconds time to live of an event in the store
 */
export const eventStrategy = (ttlSeconds = EVENT_TTL_SECONDS): Strategy => ({
  allowsUnqualifiedFinalizers: true,
  validate: (object, context) => [
    ...validateEvent(object as Event, isStrict(context)),
    ...(isStrict(context)
      ? [
          ...validateEventsApiEvent(object as Event),
          ...validateBuiltinFinalizers(object.metadata?.finalizers, 'metadata.finalizers'),
        ]
      : []),
  ],
  validateUpdate: (object, old, context) => [
    ...validateEvent(object as Event, isStrict(context)),
    ...(isStrict(context) ? validateEventsApiEventUpdate(object as Event, old as Event) : []),
  ],
  timeToLiveSeconds: () => ttlSeconds,
  createsOnUpdate: true,
  // Both APIs share the store, so the field labels of both are supported.
  selectableFields: toSelectableFields([
    ...referenceSelectors('involvedObject'),
    ...referenceSelectors('regarding'),
    ...COMMON_SELECTORS,
    ['reportingComponent', ({ reportingComponent }) => reportingComponent],
    ['reportingController', ({ reportingComponent }) => reportingComponent],
    ['source', ({ source, reportingComponent }) => source?.component || reportingComponent],
  ]),
});
