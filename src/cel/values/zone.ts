import { offsetAt, zoneFormat } from '../../time/zones.ts';
import { ErrorValue } from './error-value.ts';

/** The name of the server's own zone. */
const LOCAL_ZONE = 'Local';

/** The local date and time of a point in time. */
export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly dayOfYear: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * The local time of `seconds` since 1970 in a zone: a name (`America/New_York`), an offset (`+05:30`), or UTC
 * for ''.
 */
export function wallTime(seconds: number, zone: string): WallTime | ErrorValue {
  const offset = offsetOf(seconds, zone);
  if (typeof offset !== 'number') return offset;
  const date = new Date((seconds + offset) * 1000);
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    dayOfYear: Math.floor((date.getTime() - new Date(0).setUTCFullYear(year, 0, 1)) / 86_400_000),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** Seconds east of UTC. */
function offsetOf(seconds: number, zone: string): number | ErrorValue {
  if (zone === '' || zone === 'UTC') return 0;
  const colon = zone.indexOf(':');
  if (colon < 0) return namedOffset(seconds, zone);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes])
    if (!/^[+-]?\d{1,6}$/.test(part))
      return new ErrorValue(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
  return (Number(hours) * 60 + (zone.startsWith('-') ? -Number(minutes) : Number(minutes))) * 60;
}

/**
 * Whether a zone is written like the file of its rules: names are case-sensitive in the reference. A link has
 * another name than the zone it resolves to; no name begins with a lower-case letter.
 */
const isWrittenAs = (zone: string, resolved: string): boolean =>
  zone === resolved || (zone.toLowerCase() !== resolved.toLowerCase() && !/^[a-z]/.test(zone));

function namedOffset(seconds: number, zone: string): number | ErrorValue {
  if (/^[/\\]|\.\./.test(zone)) return new ErrorValue('time: invalid location name');
  const format = zoneFormat(zone);
  const isWritten = zone === LOCAL_ZONE || isWrittenAs(zone, format?.resolvedOptions().timeZone ?? '');
  if (format === undefined || !isWritten) return new ErrorValue(`unknown time zone ${zone}`);
  return offsetAt(format, seconds);
}
