import { ErrorValue } from '../values/error-value.ts';
import { intOf } from '../values/integers.ts';
import { type Duration, NANOS_PER_SECOND, type Timestamp } from '../values/time.ts';
import type { Value } from '../values/value.ts';
import { type WallTime, wallTime } from '../values/zone.ts';
import type { CelFunction, Overload } from './function.ts';

/** The two overloads of a getter: in UTC and in a time zone. */
function getter(
  id: string,
  read: (time: WallTime, timestamp: Timestamp) => number,
  zoned = `${id}_with_tz`,
): Overload[] {
  const get = (value: Value, zone: string): Value => {
    const time = wallTime((value as Timestamp).seconds, zone);
    return time instanceof ErrorValue ? time : read(time, value as Timestamp);
  };
  return [
    { id, arguments: ['timestamp'], invoke: (_frame, value) => get(value, '') },
    {
      id: zoned,
      arguments: ['timestamp', 'string'],
      invoke: (_frame, value, zone) => get(value, zone as string),
    },
  ];
}

/** The getter of durations: the whole duration in units of `unit` nanoseconds. */
function total(id: string, unit: bigint): Overload {
  return { id, arguments: ['duration'], invoke: (_frame, value) => intOf((value as Duration).nanos / unit) };
}

/**
 * Parts of timestamps and durations. Months, days of the week and of the year, and `getDayOfMonth` count from
 * 0; `getDate` from 1.
 */
export const TIMES: readonly CelFunction[] = [
  { name: 'getFullYear', overloads: getter('timestamp_to_year', ({ year }) => year) },
  { name: 'getMonth', overloads: getter('timestamp_to_month', ({ month }) => month - 1) },
  { name: 'getDate', overloads: getter('timestamp_to_day_of_month_1_based', ({ day }) => day) },
  { name: 'getDayOfMonth', overloads: getter('timestamp_to_day_of_month', ({ day }) => day - 1) },
  { name: 'getDayOfWeek', overloads: getter('timestamp_to_day_of_week', ({ weekday }) => weekday) },
  { name: 'getDayOfYear', overloads: getter('timestamp_to_day_of_year', ({ dayOfYear }) => dayOfYear) },
  {
    name: 'getHours',
    overloads: [
      ...getter('timestamp_to_hours', ({ hour }) => hour),
      total('duration_to_hours', 3600n * NANOS_PER_SECOND),
    ],
  },
  {
    name: 'getMinutes',
    overloads: [
      ...getter('timestamp_to_minutes', ({ minute }) => minute),
      total('duration_to_minutes', 60n * NANOS_PER_SECOND),
    ],
  },
  {
    name: 'getSeconds',
    overloads: [
      ...getter('timestamp_to_seconds', ({ second }) => second, 'timestamp_to_seconds_tz'),
      total('duration_to_seconds', NANOS_PER_SECOND),
    ],
  },
  {
    name: 'getMilliseconds',
    overloads: [
      ...getter('timestamp_to_milliseconds', (_time, { nanos }) => Math.floor(nanos / 1e6)),
      total('duration_to_milliseconds', 1_000_000n),
    ],
  },
];
