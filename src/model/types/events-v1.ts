import type { Declarations } from '../declare.ts';

export default {
  family: 'events_v1',
  group: 'events.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.events.v1',
  types: `
Event kind
  metadata 1 meta_v1.ObjectMeta
  eventTime 2 meta_v1.MicroTime required
  series 3 *EventSeries
  reportingController 4 string
  reportingInstance 5 string
  action 6 string
  reason 7 string
  regarding 8 core_v1.ObjectReference
  related 9 *core_v1.ObjectReference
  note 10 string
  type 11 string
  deprecatedSource 12 core_v1.EventSource
  deprecatedFirstTimestamp 13 meta_v1.Time
  deprecatedLastTimestamp 14 meta_v1.Time
  deprecatedCount 15 int32

EventList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Event required

EventSeries
  count 1 int32 required
  lastObservedTime 2 meta_v1.MicroTime required
`,
} satisfies Declarations;
