/** Events of the core group and of events.k8s.io. */
export const EVENTS: Readonly<Record<string, string>> = {
  Event: 'Report of an event in the cluster.',
  'Event.involvedObject': 'Object that the event is about.',
  'Event.reason': 'Machine-readable reason of the event, in CamelCase.',
  'Event.message': 'Human-readable description of the event.',
  'Event.type': 'Normal or Warning.',
  'Event.count': 'Number of occurrences.',
};
