import { quote } from '../../errors/quote.ts';
import { DurationError, parseDuration } from '../../time/duration.ts';
import { isKnownZone } from './time-zone.ts';

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const MINUTE: Bounds = { low: 0, high: 59 };
const HOUR: Bounds = { low: 0, high: 23 };
const DAY_OF_MONTH: Bounds = { low: 1, high: 31 };
const MONTH: Bounds = {
  low: 1,
  high: 12,
  names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const DAY_OF_WEEK: Bounds = { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const FIELDS = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];
const DESCRIPTORS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/**
 * Validates a cron schedule: five fields or a descriptor (`@daily`, `@every 1h`).
 * @returns the error message, or undefined for a valid schedule
 */
export function scheduleError(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  let text = schedule;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const space = text.indexOf(' ');
    if (space < 0)
      return `provided bad location ${text.slice(text.indexOf('=') + 1)}: unknown time zone ${text.slice(text.indexOf('=') + 1)}`;
    const zone = text.slice(text.indexOf('=') + 1, space);
    if (zone !== '' && !isKnownZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    text = text.slice(space).trim();
  }
  if (text.startsWith('@')) return descriptorError(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length)
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    for (const part of field.split(',').filter((text) => text !== '')) {
      const error = rangeError(part, FIELDS[index]!);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  try {
    parseDuration(text.slice('@every '.length));
    return undefined;
  } catch (error) {
    if (error instanceof DurationError) return `failed to parse duration ${text}: ${error.message}`;
    throw error;
  }
}

/** Validates `*`, `5` or `1-5`, each with an optional `/step`. */
function rangeError(part: string, bounds: Bounds): string | undefined {
  const [range = '', stepText, ...more] = part.split('/');
  const limits = range.split('-');
  const isStar = limits[0] === '*' || limits[0] === '?';
  const first = isStar ? bounds.low : parseNumber(limits[0]!, bounds);
  if (typeof first === 'string') return first;
  if (!isStar && limits.length > 2) return `too many hyphens: ${part}`;
  let last = isStar ? bounds.high : limits.length === 2 ? parseNumber(limits[1]!, bounds) : first;
  if (typeof last === 'string') return last;
  if (more.length > 0) return `too many slashes: ${part}`;
  const step = stepText === undefined ? 1 : parseNumber(stepText, { low: 0, high: 0 });
  if (typeof step === 'string') return step;
  if (stepText !== undefined && limits.length === 1) last = bounds.high;
  if (first < bounds.low) return `beginning of range (${first}) below minimum (${bounds.low}): ${part}`;
  if (last > bounds.high) return `end of range (${last}) above maximum (${bounds.high}): ${part}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${part}`;
  return step === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** Parses a number or name; returns an error message on failure. */
function parseNumber(text: string, { names }: Bounds): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0 && text !== '') return named;
  if (!/^[+-]?\d{1,18}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}
