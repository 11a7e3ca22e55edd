/** A part of a zone's name: a file name in the zone database. */
const PART = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/**
 * Whether the zone database has a zone. Names are file names in the reference, so their case counts; `Local`
 * is the server's own zone.
 */
export function isKnownZone(zone: string): boolean {
  if (zone === '' || zone === 'Local') return true;
  // Offsets such as +01:00 are no names.
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with a zone in which a schedule is read. */
export function timeZoneErrors(zone: string): string[] {
  if (zone === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${zone}`;
  if (!zone.split('/').every((part) => part !== '.' && part !== '..' && PART.test(part))) return [unknown];
  return [
    ...(zone.toLowerCase() === 'local'
      ? ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones']
      : []),
    ...(isKnownZone(zone) ? [] : [unknown]),
  ];
}
