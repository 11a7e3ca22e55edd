import { shortened } from '../../errors/shown.ts';

/** Longer names are those of no file, and so of no time zone. */
const MAXIMUM_LENGTH = 255;
/** A path segment of a time zone name. */
const PART = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/**
 * Whether the time zone database contains a zone. Names are case-sensitive, as kube-apiserver uses them as
 * file names. `Local` is the server's zone.
 */
export function isKnownZone(zone: string): boolean {
  if (zone === '' || zone === 'Local') return true;
  if (zone.length > MAXIMUM_LENGTH) return false;
  // Offsets such as +01:00 are not zone names.
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(zone)) return false;
  // The runtime ignores case and returns the main name of an alias. A main name must have the same case; of
  // aliases only names in capitals are recognized as wrong: none has five capitals in a row.
  if (/[A-Z]{5}/.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}

/** Validates the time zone of a schedule; returns error messages. */
export function timeZoneErrors(zone: string): string[] {
  if (zone === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${shortened(zone)}`;
  if (zone.length > MAXIMUM_LENGTH) return [unknown];
  if (!zone.split('/').every((part) => part !== '.' && part !== '..' && PART.test(part))) return [unknown];
  return [
    ...(zone.toLowerCase() === 'local'
      ? ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones']
      : []),
    ...(isKnownZone(zone) ? [] : [unknown]),
  ];
}
