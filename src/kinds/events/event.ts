import { nameIsSubdomain } from '../../model/name-syntax.ts';
import { defineResource } from '../builtin-resource.ts';
import { eventStrategy, referenceSelectors } from '../core/event.ts';
import { eventTable } from '../core/event-table.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy } from '../strategy.ts';
import { eventConversion } from './event-conversion.ts';

/** Strategy of events.k8s.io/v1: core events with other field names. */
export const eventsApiStrategy = (ttlSeconds: number): Strategy => {
  const strategy = eventStrategy(ttlSeconds);
  return {
    ...strategy,
    metadata: { ...strategy.metadata, validateName: nameIsSubdomain },
    conversions: { v1: eventConversion },
  };
};

export const events = defineResource({
  group: 'events.k8s.io',
  versions: ['v1'],
  resource: 'events',
  kind: 'Event',
  shortNames: ['ev'],
  storage: { apiVersion: 'v1', watchCache: false },
  strategy: ({ eventSeconds }) => eventsApiStrategy(eventSeconds),
  fieldSelectors: {
    reason: textAt('reason'),
    type: textAt('type'),
    ...referenceSelectors('regarding'),
    reportingController: textAt('reportingComponent'),
  },
  table: eventTable,
});
