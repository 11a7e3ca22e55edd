import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
Event kind
  metadata 1 meta_v1.ObjectMeta required
  involvedObject 2 ObjectReference required
  reason 3 string
  message 4 string
  source 5 EventSource
  firstTimestamp 6 meta_v1.Time
  lastTimestamp 7 meta_v1.Time
  count 8 int32
  type 9 string
  eventTime 10 meta_v1.MicroTime
  series 11 *EventSeries
  action 12 string
  related 13 *ObjectReference
  reportingComponent 14 string default="" shown
  reportingInstance 15 string default="" shown

EventList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Event required

EventSeries
  count 1 int32
  lastObservedTime 2 meta_v1.MicroTime

EventSource
  component 1 string
  host 2 string

SerializedReference kind unpublished
  reference 1 ObjectReference
`,
} satisfies Declarations;
