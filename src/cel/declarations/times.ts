import { DURATION, INT, STRING, TIMESTAMP } from '../types.ts';
import { declare, type Library, member } from './library.ts';

/** Parts of timestamps (in UTC, or a time zone) and durations. */
export const timesLibrary: Library = {
  name: 'times',
  since: 0,
  functions: [
    declare(
      'getDate',
      member('timestamp_to_day_of_month_1_based', TIMESTAMP, [], INT),
      member('timestamp_to_day_of_month_1_based_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getDayOfMonth',
      member('timestamp_to_day_of_month', TIMESTAMP, [], INT),
      member('timestamp_to_day_of_month_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getDayOfWeek',
      member('timestamp_to_day_of_week', TIMESTAMP, [], INT),
      member('timestamp_to_day_of_week_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getDayOfYear',
      member('timestamp_to_day_of_year', TIMESTAMP, [], INT),
      member('timestamp_to_day_of_year_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getFullYear',
      member('timestamp_to_year', TIMESTAMP, [], INT),
      member('timestamp_to_year_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getHours',
      member('duration_to_hours', DURATION, [], INT),
      member('timestamp_to_hours', TIMESTAMP, [], INT),
      member('timestamp_to_hours_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getMilliseconds',
      member('duration_to_milliseconds', DURATION, [], INT),
      member('timestamp_to_milliseconds', TIMESTAMP, [], INT),
      member('timestamp_to_milliseconds_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getMinutes',
      member('duration_to_minutes', DURATION, [], INT),
      member('timestamp_to_minutes', TIMESTAMP, [], INT),
      member('timestamp_to_minutes_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getMonth',
      member('timestamp_to_month', TIMESTAMP, [], INT),
      member('timestamp_to_month_with_tz', TIMESTAMP, [STRING], INT),
    ),
    declare(
      'getSeconds',
      member('duration_to_seconds', DURATION, [], INT),
      member('timestamp_to_seconds', TIMESTAMP, [], INT),
      member('timestamp_to_seconds_tz', TIMESTAMP, [STRING], INT),
    ),
  ],
};
