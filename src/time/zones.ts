import { BoundedMap } from '../collections/bounded-map.ts';

/** Longer names are those of no file, and so of no time zone. */
export const LONGEST_ZONE_NAME = 255;

/** Formatters of recently used zones; the oldest is evicted. */
const MOST_FORMATS = 64;
const formats = new BoundedMap<string, Intl.DateTimeFormat>(MOST_FORMATS);

/** The rules of a zone of the time zone database, or of `Local`, the process's zone; undefined if it has no such name. */
export function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  let format = formats.get(zone);
  if (format !== undefined || zone.length > LONGEST_ZONE_NAME) return format;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone === 'Local' ? undefined : zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  formats.set(zone, format);
  return format;
}

/** Seconds east of UTC at a time. @param seconds since 1970 */
export function offsetAt(format: Intl.DateTimeFormat, seconds: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(seconds * 1000)) parts[type] = value;
  const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year']);
  const day = new Date(0).setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day'])) / 1000;
  return (
    day + Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second']) - seconds
  );
}

/**
 * Whether the time zone database contains a zone. Names are case-sensitive, as kube-apiserver uses them as
 * file names. `Local` is the server's zone.
 */
export function isKnownZone(zone: string): boolean {
  if (zone === '' || zone === 'Local') return true;
  if (zone.length > LONGEST_ZONE_NAME) return false;
  // Offsets such as +01:00 are not zone names.
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(zone)) return false;
  // The runtime ignores case and returns the main name of an alias. A main name must have the same case; of
  // aliases only names in capitals are recognized as wrong: none has five capitals in a row.
  if (/[A-Z]{5}/.test(zone)) return false;
  const main = zoneFormat(zone)?.resolvedOptions().timeZone;
  return main !== undefined && (main === zone || main.toLowerCase() !== zone.toLowerCase());
}
