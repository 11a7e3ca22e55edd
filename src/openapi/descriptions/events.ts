/** Events of the core group and of events.k8s.io. */
export const EVENTS: Readonly<Record<string, string>> = {
  Event: 'Report of an event in the cluster.',
  'Event.involvedObject': 'Object that the event is about.',
  'Event.reason': 'Machine-readable reason of the event, in CamelCase.',
  'Event.message': 'Human-readable description of the event.',
  'Event.type': 'Normal or Warning.',
  'Event.count': 'Number of occurrences.',
  'Event.eventTime': 'Time at which the event was first observed, in microseconds.',
  'Event.series': 'Repetitions of the event. Absent for a single event.',
  'Event.reportingController':
    'Controller that reported the event, such as example.com/controller. Needed for new events.',
  'Event.reportingInstance':
    'Instance of the controller, such as the name of its pod. Needed for new events of events.k8s.io.',
  'Event.action':
    'Action that the controller took or failed to take, as machine-readable CamelCase. Required for new events of events.k8s.io.',
  'Event.regarding': 'Object that the event is about.',
  'Event.related': 'Second object of the event, for example one that was created.',
  'Event.note': 'Human-readable description, at most 1024 bytes.',
  'Event.deprecatedSource': 'Source of the event in the core group, for conversion.',
  'Event.deprecatedFirstTimestamp': 'First time of the event in the core group, for conversion.',
  'Event.deprecatedLastTimestamp': 'Last time of the event in the core group, for conversion.',
  'Event.deprecatedCount': 'Number of occurrences in the core group, for conversion.',
  'Event.source': 'Component that reported the event. New reporters set reportingComponent.',
  'Event.firstTimestamp': 'Time at which the event was first recorded.',
  'Event.lastTimestamp': 'Time of the latest occurrence.',
  'Event.reportingComponent': 'Controller that reported the event, such as example.com/controller.',
  EventSource: 'Component that reported an event.',
  'EventSource.component': 'Name of the component.',
  'EventSource.host': 'Node on which the component runs.',
  EventSeries: 'Repetitions of an event.',
  'EventSeries.count': 'Number of occurrences so far, at least 2.',
  'EventSeries.lastObservedTime': 'Time of the latest occurrence, in microseconds.',
};
