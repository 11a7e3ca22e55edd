import { shortened } from '../../errors/shown.ts';
import { isKnownZone, LONGEST_ZONE_NAME } from '../../time/zones.ts';

/** A path segment of a time zone name. */
const PART = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/** Validates the time zone of a schedule; returns error messages. */
export function timeZoneErrors(zone: string): string[] {
  if (zone === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${shortened(zone)}`;
  if (zone.length > LONGEST_ZONE_NAME) return [unknown];
  if (!zone.split('/').every((part) => part !== '.' && part !== '..' && PART.test(part))) return [unknown];
  return [
    ...(zone.toLowerCase() === 'local'
      ? ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones']
      : []),
    ...(isKnownZone(zone) ? [] : [unknown]),
  ];
}
