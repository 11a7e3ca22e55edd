/** Converts between serialized times and the seconds of protobuf, without Date for the usual format. */

const zero = 48;

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) value = value * 10 + text.charCodeAt(index) - zero;
  return value;
}

/**
 * Days since 1970-01-01 of a day in the Gregorian calendar; years are counted from March, so that the leap
 * day is the last one.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719468
  );
}

/** Whole seconds since 1970 of a serialized time (`2006-01-02T15:04:05Z`, with or without a fraction). */
export function secondsOfTime(text: string): number {
  const days = daysSinceEpoch(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  return days * 86400 + digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19);
}

/** Nanoseconds within the second of a serialized MicroTime. */
export function nanosecondsOfTime(text: string): number {
  return digits(text, 20, 26) * 1000;
}

/** Cache of formatted seconds: the times within one object are close together, and often equal. */
const cacheSize = 256;
const cachedSeconds = new Float64Array(cacheSize).fill(Number.NaN);
const cachedTexts: string[] = new Array(cacheSize).fill('');

/** Seconds at the start of year 0 and of year 10000: times outside have no RFC 3339 form. */
const earliest = -62167219200;
const end = 253402300800;

/** `2006-01-02T15:04:05` of whole seconds since 1970, or undefined if the year does not have four digits. */
export function timeOfSeconds(seconds: number): string | undefined {
  if (!(seconds >= earliest && seconds < end)) return undefined;
  const slot = (seconds | 0) & (cacheSize - 1);
  if (cachedSeconds[slot] === seconds) return cachedTexts[slot];
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  cachedSeconds[slot] = seconds;
  cachedTexts[slot] = text;
  return text;
}
