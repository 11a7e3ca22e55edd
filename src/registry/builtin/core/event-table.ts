import type { Event } from '../../../model/generated/core-v1.ts';
import { AgeCell, type Cell } from '../../table.ts';
import { column, nameOf, table, wide } from '../../tables/define.ts';

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

export const eventTable = table<AnyEvent>(
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
