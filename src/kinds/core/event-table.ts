import type { Event } from '../../model/generated/core-v1.ts';
import { AgeCell, type Cell } from '../table.ts';
import { column, nameOf, table, wide } from '../tables/define.ts';

function eventCells(event: Event): Cell[] {
  const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? {};
  const component = event.source?.component || event.reportingComponent || '';
  const host = event.source?.host || event.reportingInstance || '';
  const first = event.firstTimestamp || event.eventTime || undefined;
  const last = event.lastTimestamp || first;
  return [
    new AgeCell(event.series === undefined ? last : (event.series.lastObservedTime ?? undefined)),
    event.type ?? '',
    event.reason ?? '',
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
    fieldPath,
    host === '' ? component : `${component}, ${host}`,
    (event.message ?? '').trim(),
    new AgeCell(first),
    event.series === undefined ? event.count || 1 : (event.series.count ?? 0),
    nameOf(event),
  ];
}

export const eventTable = table<Event>(
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
