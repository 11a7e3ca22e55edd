import type { KubernetesObject } from '../../model/object.ts';
import { formatMicroTime } from '../../model/time.ts';
import type { ClusterClock } from '../../time/clock.ts';
import type { Resource, Writer } from '../client.ts';
import type { EventWriter, WrittenEvent } from './event-writer.ts';
import { type EventType, referenceTo } from './recorder.ts';

/** client-go's values, in milliseconds. */
const SERIES_ENDS_AFTER = 360_000;
const REFRESH_INTERVAL = 1_800_000;
const LONGEST_NOTE = 1024;
const ELLIPSIS = ' ...';
/** Events that can become a series; the oldest are forgotten first. */
const CAPACITY = 4096;

const SERIES_EVENTS: Resource = { group: 'events.k8s.io', version: 'v1', resource: 'events', kind: 'Event' };
const CLUSTER_SCOPE_NAMESPACE = 'default';

/** What happened to an object. */
export interface Report {
  readonly resource: Resource;
  readonly object: KubernetesObject;
  /** Another object that has to do with it. */
  readonly related?: { readonly resource: Resource; readonly object: KubernetesObject } | undefined;
  readonly type: EventType;
  readonly reason: string;
  /** What the reporter did or tried to do. */
  readonly action: string;
  /** At most 1,024 characters are kept. */
  readonly note: string;
}

/** Reports what happens to objects, as events of `events.k8s.io/v1`, as the scheduler does. */
export interface SeriesRecorder {
  /** Never waits and never fails; what occurs again becomes a series. */
  record(report: Report): void;
  /** Forgets the series. */
  stop(): void;
}

export interface SeriesRecorderOptions {
  readonly writer: EventWriter;
  /** Acts as the reporter. */
  readonly client: Pick<Writer, 'create' | 'patch'>;
  /** Who reports, such as `default-scheduler`. */
  readonly controller: string;
  /** Which of several instances reports. */
  readonly instance: string;
  readonly clock: Pick<ClusterClock, 'now' | 'after'>;
}

/** An event that may become a series. */
interface Series extends WrittenEvent {
  count: number;
  last: number;
  written: number;
  /** Cancels the timer that ends it. */
  cancel: () => void;
}

/**
 * Creates a recorder. The second event of an object, reason and action makes the first one a series of 2. More are
 * counted; the count is written every half an hour, and when six minutes have passed without another one: the series
 * has ended.
 */
export function seriesRecorder(options: SeriesRecorderOptions): SeriesRecorder {
  const { writer, client, clock } = options;
  const target = { client, resource: SERIES_EVENTS };
  const known = new Map<string, Series>();

  const write = (series: Series): void => {
    series.written = series.last;
    writer.write(target, series);
  };

  const endLater = (key: string, series: Series, milliseconds: number): void => {
    series.cancel = clock.after(milliseconds, () => {
      const left = series.last + SERIES_ENDS_AFTER - clock.now();
      const hasEnded = left <= 0;
      const isDue = hasEnded || series.last >= series.written + REFRESH_INTERVAL;
      if (isDue && series.last > series.written) write(series);
      if (hasEnded) known.delete(key);
      else endLater(key, series, left);
    });
  };

  const forgetOldest = (): void => {
    const [oldest] = known;
    oldest![1].cancel();
    known.delete(oldest![0]);
  };

  return {
    record(report) {
      const key = keyOf(report);
      const series = known.get(key);
      if (series !== undefined) {
        series.count += 1;
        series.last = clock.now();
        if (series.count === 2) write(series);
        return;
      }
      if (known.size >= CAPACITY) forgetOldest();
      const first = newSeries(options, report, clock.now());
      known.set(key, first);
      endLater(key, first, SERIES_ENDS_AFTER);
      write(first);
    },
    stop() {
      for (const { cancel } of known.values()) cancel();
      known.clear();
    },
  };
}

function keyOf({ resource, object: { metadata = {} }, related, type, reason, action }: Report): string {
  const { uid, namespace, name } = metadata;
  return JSON.stringify([
    resource.kind,
    uid,
    namespace,
    name,
    related?.object.metadata?.uid,
    type,
    reason,
    action,
  ]);
}

function newSeries(
  { writer, controller, instance }: SeriesRecorderOptions,
  { resource, object, related, type, reason, action, note }: Report,
  now: number,
): Series {
  const regarding = referenceTo(resource, object);
  const metadata = {
    namespace: regarding.namespace ?? CLUSTER_SCOPE_NAMESPACE,
    name: writer.nameFor(regarding.name ?? '', now),
  };
  const changing = () =>
    event.count < 2 ? {} : { series: { count: event.count, lastObservedTime: formatMicroTime(event.last) } };
  const event: Series = {
    ...metadata,
    isStored: false,
    count: 1,
    last: now,
    written: now,
    cancel: () => undefined,
    object: () => ({
      metadata,
      eventTime: formatMicroTime(now),
      reportingController: controller,
      reportingInstance: instance,
      action,
      reason,
      regarding,
      ...(related === undefined ? {} : { related: referenceTo(related.resource, related.object) }),
      note: note.length > LONGEST_NOTE ? note.slice(0, LONGEST_NOTE - ELLIPSIS.length) + ELLIPSIS : note,
      type,
      ...changing(),
    }),
    change: changing,
  };
  return event;
}
