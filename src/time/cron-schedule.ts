import { quote } from '../errors/quote.ts';
import { DurationError, parseDuration } from './duration.ts';
import { LocalTime } from './local-time.ts';
import { isKnownZone } from './zones.ts';

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const MINUTES: Bounds = { low: 0, high: 59 };
const HOURS: Bounds = { low: 0, high: 23 };
const DAY_OF_MONTH: Bounds = { low: 1, high: 31 };
const MONTH: Bounds = {
  low: 1,
  high: 12,
  names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const DAY_OF_WEEK: Bounds = { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const FIELDS = [MINUTES, HOURS, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];
/** Descriptors, as fields. */
const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const NANOSECONDS_PER_SECOND = 1_000_000_000n;
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Years in which a time must come: a schedule may name a day that does not exist. */
const YEARS = 5;

/** When something happens again and again: a cron schedule of Kubernetes, which is that of robfig/cron. */
export interface CronSchedule {
  /**
   * The first time after another one, in milliseconds since the epoch.
   * @returns undefined if there is none in the next five years
   */
  next(after: number): number | undefined;
}

/**
 * Validates a cron schedule: five fields or a descriptor (`@daily`, `@every 1h`).
 * @returns the error message, or undefined for a valid schedule
 */
export function scheduleError(schedule: string): string | undefined {
  const parsed = parseSchedule(schedule);
  return typeof parsed === 'string' ? parsed : undefined;
}

/**
 * Reads a cron schedule: five fields or a descriptor (`@daily`, `@every 1h`), after an optional `TZ=zone`.
 * @param zone of a schedule that names none; '' is UTC
 * @returns the error message for an invalid schedule
 */
export function parseSchedule(schedule: string, zone = ''): CronSchedule | string {
  if (schedule === '') return 'empty spec string';
  let text = schedule;
  let named = zone;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const space = text.indexOf(' ');
    named = text.slice(text.indexOf('=') + 1, space < 0 ? undefined : space);
    if (space < 0 || !isKnownZone(named)) return `provided bad location ${named}: unknown time zone ${named}`;
    text = text.slice(space).trim();
  }
  if (text.startsWith('@every ')) return parseInterval(text);
  if (text.startsWith('@')) {
    const fields = DESCRIPTORS.get(text);
    return fields === undefined ? `unrecognized descriptor: ${text}` : parseFields(fields, named);
  }
  return parseFields(text, named);
}

function parseInterval(text: string): CronSchedule | string {
  try {
    const seconds = Number(parseDuration(text.slice('@every '.length)) / NANOSECONDS_PER_SECOND);
    return new Interval(Math.max(seconds, 1));
  } catch (error) {
    if (error instanceof DurationError) return `failed to parse duration ${text}: ${error.message}`;
    throw error;
  }
}

function parseFields(text: string, zone: string): CronSchedule | string {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length)
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  const sets: NumberSet[] = [];
  for (const [index, field] of fields.entries()) {
    const set: NumberSet = { numbers: new Set(), isStar: false };
    for (const part of field.split(',').filter((text) => text !== '')) {
      const error = addRange(set, part, FIELDS[index]!);
      if (error !== undefined) return error;
    }
    sets.push(set);
  }
  return new Fields(sets, zone);
}

/** The numbers of a field. */
interface NumberSet {
  readonly numbers: Set<number>;
  /** A part of it is `*`. */
  isStar: boolean;
}

/** Adds `*`, `5` or `1-5`, each with an optional `/step`; returns an error message on failure. */
function addRange(set: NumberSet, part: string, bounds: Bounds): string | undefined {
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
  if (step === 0) return `step of range should be a positive number: ${part}`;
  for (let number = first; number <= last; number += step) set.numbers.add(number);
  if (isStar && step === 1) set.isStar = true;
  return undefined;
}

/** Parses a number or name; returns an error message on failure. */
function parseNumber(text: string, { names }: Bounds): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0 && text !== '') return named;
  if (!/^[+-]?\d{1,18}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}

/** `@every`: after whole seconds. */
class Interval implements CronSchedule {
  readonly #seconds: number;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  next(after: number): number {
    return (Math.floor(after / 1000) + this.#seconds) * 1000;
  }
}

/** Five fields, in the time of a zone. */
class Fields implements CronSchedule {
  readonly #minutes: NumberSet;
  readonly #hours: NumberSet;
  readonly #daysOfMonth: NumberSet;
  readonly #months: NumberSet;
  readonly #daysOfWeek: NumberSet;
  readonly #zone: string;

  constructor(sets: readonly NumberSet[], zone: string) {
    [this.#minutes, this.#hours, this.#daysOfMonth, this.#months, this.#daysOfWeek] = sets as [
      ...[NumberSet, NumberSet, NumberSet, NumberSet, NumberSet],
    ];
    this.#zone = zone;
  }

  /**
   * Advances the largest field that does not match, and begins anew when a larger one changes. A time that a change of
   * the clock leaves out does not come; one that it repeats comes twice for schedules of every hour or minute only.
   */
  next(after: number): number | undefined {
    const start = LocalTime.at((Math.floor(after / MINUTE) + 1) * MINUTE, this.#zone);
    const lastYear = start.year + YEARS;
    for (let time = start; time.year <= lastYear; ) {
      const later = this.#advance(time, time === start);
      if (later === undefined) return time.milliseconds;
      time = later;
    }
    return undefined;
  }

  /** A later time that may match; undefined if this one does. @param isFirst it may be within an hour */
  #advance(time: LocalTime, isFirst: boolean): LocalTime | undefined {
    if (!this.#months.numbers.has(time.month)) return time.startOfNextMonth();
    if (!this.#hasDay(time)) return time.startOfNextDay();
    if (!this.#hours.numbers.has(time.hour)) return (isFirst ? time.startOfHour() : time).plus(HOUR);
    if (!this.#minutes.numbers.has(time.minute)) return time.plus(MINUTE);
    return undefined;
  }

  /** Where both fields of days name some, one of them must match. */
  #hasDay({ day, weekday }: LocalTime): boolean {
    const byMonth = this.#daysOfMonth.numbers.has(day);
    const byWeek = this.#daysOfWeek.numbers.has(weekday);
    return this.#daysOfMonth.isStar || this.#daysOfWeek.isStar ? byMonth && byWeek : byMonth || byWeek;
  }
}
