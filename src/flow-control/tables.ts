import { apiVersionOf } from '../model/object.ts';
import { formatDuration } from '../time/duration.ts';
import type { PriorityLevel } from './level.ts';
import type { PriorityLevels } from './levels.ts';
import type { Queue } from './queue.ts';
import type { Ticket } from './ticket.ts';

type Row = readonly (string | number | boolean)[];
/** Rows of a table, the names of its columns first. */
type Table = Iterable<Row>;

/** Queues of a level that are listed whether they are used or not; of further ones, those in use. */
const LISTED_QUEUES = 10_000;

/** One row per priority level. */
export function* priorityLevelTable(levels: PriorityLevels): Table {
  yield [
    'PriorityLevelName',
    'ActiveQueues',
    'IsIdle',
    'IsQuiescing',
    'WaitingRequests',
    'ExecutingRequests',
    'DispatchedRequests',
    'RejectedRequests',
    'TimedoutRequests',
    'CancelledRequests',
  ];
  for (const { name, queues, isQuiescing, use } of levels.all()) {
    let active = 0;
    for (const queue of queues.usedQueues) if (queue.waiting.size > 0) active += 1;
    yield [
      name,
      active,
      queues.isIdle,
      isQuiescing,
      queues.waiting,
      queues.executing,
      use.dispatches,
      use.rejected,
      // kube-apiserver counts all that wait too long as cancelled.
      0,
      use.cancelled,
    ];
  }
}

/** One row per queue. */
export function* queueTable(levels: PriorityLevels): Table {
  yield [
    'PriorityLevelName',
    'Index',
    'PendingRequests',
    'ExecutingRequests',
    'SeatsInUse',
    'NextDispatchR',
    'InitialSeatsSum',
    'MaxSeatsSum',
    'TotalWorkSum',
  ];
  for (const { name, queues } of levels.all())
    for (const index of listedQueues(queues)) yield queueRow(name, index, queues.queueAt(index));
}

function* listedQueues(queues: PriorityLevel['queues']): Generator<number> {
  const listed = Math.min(queues.size, LISTED_QUEUES);
  for (let index = 0; index < listed; index += 1) yield index;
  for (const { index } of queues.usedQueues) if (index >= listed) yield index;
}

function queueRow(level: string, index: number, queue: Queue | undefined): Row {
  if (queue === undefined) return [level, index, 0, 0, 0, seatSeconds(0), 0, 0, seatSeconds(0)];
  let initialSeats = 0;
  let seats = 0;
  for (const ticket of queue.waiting) {
    initialSeats += ticket.work.initialSeats;
    seats += ticket.seats;
  }
  return [
    level,
    index,
    queue.waiting.size,
    queue.executing,
    queue.seatsInUse,
    seatSeconds(queue.nextDispatch),
    initialSeats,
    seats,
    seatSeconds(queue.waitingWork),
  ];
}

const REQUEST_COLUMNS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const DETAIL_COLUMNS = [
  'UserName',
  'Verb',
  'APIPath',
  'Namespace',
  'Name',
  'APIVersion',
  'Resource',
  'SubResource',
];

/**
 * One row per waiting or executing request, without those with which the server maintains its own objects.
 * @param wallTime converts monotonic milliseconds to wall time in milliseconds
 */
export function* requestTable(
  levels: PriorityLevels,
  details: boolean,
  wallTime: (monotonic: number) => number,
): Table {
  yield details ? [...REQUEST_COLUMNS, ...DETAIL_COLUMNS] : REQUEST_COLUMNS;
  const row = (ticket: Ticket, position: number): Row => {
    const { flow, queue, work, arrivedAt, startedAt, finalSeats, finalMilliseconds } = ticket;
    const cells = [
      flow.level.name,
      flow.schema.name,
      queue?.index ?? -1,
      position,
      distinguisherOf(flow),
      new Date(wallTime(arrivedAt)).toISOString(),
      work.initialSeats,
      finalSeats,
      formatDuration(BigInt(Math.round(finalMilliseconds * 1e6))),
      startedAt === 0 ? '0001-01-01T00:00:00Z' : new Date(wallTime(startedAt)).toISOString(),
    ];
    return details ? [...cells, ...detailsOf(ticket)] : cells;
  };
  for (const { queues } of levels.all()) {
    for (const queue of [...queues.usedQueues].sort((left, right) => left.index - right.index)) {
      let position = 0;
      for (const ticket of queue.waiting) yield row(ticket, position++);
    }
    for (const ticket of queues.executingTickets)
      if (ticket.request.isOwnWrite !== true) yield row(ticket, -1);
  }
}

/** kube-apiserver computes the distinguisher only where there are queues to choose from. */
function distinguisherOf({ level, distinguisher }: Ticket['flow']): string {
  const { queuing } = level.settings;
  return queuing !== 'exempt' && queuing.queues > 1 ? distinguisher : '';
}

function detailsOf({ request: { user, info } }: Ticket): Row {
  const { verb, path, namespace, name, group, version, resource, subresource } = info;
  return [user.name, verb, path, namespace, name, apiVersionOf(group, version), resource, subresource];
}

/** A number of seat-seconds, as kube-apiserver shows it. */
const seatSeconds = (value: number): string => `${Math.max(0, value).toFixed(8)}ss`;

/**
 * Aligns a table: cells end with a comma, and columns are padded with blanks to at least eight characters.
 * Control characters in a cell are removed: names come from clients.
 */
export function alignTable(table: Table): string {
  const rows = [...table].map((row) => row.map((cell) => withoutControls(String(cell))));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length + 2, 8);
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column + 1 < row.length ? `${cell},`.padEnd(widths[column]!) : cell)).join('');
  return rows.map((row) => `${line(row)}\n`).join('');
}

const withoutControls = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, '');
