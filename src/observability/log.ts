/**
 * The server's logger. Two formats of Kubernetes components: klog text (`I0102 15:04:05.000000 1234 part]
 * "Message" key="value"`) and JSON. Lines are written at once.
 * (A logging library would add 30–50 ms to a startup budget of 300 ms.)
 */

import { processClock } from '../time/clock.ts';
import { writeStandardError } from './standard-error.ts';

/** Structured fields of a record. `err` is formatted as in Kubernetes. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  /** Present verbosity of {@link detail}: 0 none, 2 steady state, 4 and above for debugging. */
  readonly verbosity: number;
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** Writes an info record when the verbosity is at least `level`. */
  detail(level: number, message: string, fields?: LogFields): void;
  /** Returns a logger for a component, whose records include `fields`. */
  child(part: string, fields?: LogFields): Logger;
}

/** The verbosity of a server's loggers; it may change while the server runs. */
export interface LogVerbosity {
  /** Verbosity of components that no pattern names. */
  verbosity: number;
  /** The first pattern (`*` and `?` are wildcards) that matches a component's name decides. */
  readonly components: readonly { readonly pattern: string; readonly verbosity: number }[];
}

export interface LoggerOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number | LogVerbosity;
  /** Receives a complete line with its line break. Default: standard error. */
  readonly write?: (line: string) => void;
  /** Receives the lines that report no error or warning. Default: as `write`. */
  readonly writeInformation?: (line: string) => void;
  readonly now?: () => Date;
}

type Severity = 'error' | 'warning' | 'info';

interface LogRecord {
  readonly severity: Severity;
  readonly part: string;
  readonly message: string;
  readonly fields: LogFields;
  /** Verbosity level of a detail record; 0 for others. */
  readonly level: number;
  readonly at: Date;
}

/** Creates a logger in one of the formats of `--logging-format`. */
export function createLogger({
  format,
  verbosity: given,
  write = writeStandardError,
  writeInformation = write,
  now = () => new Date(processClock.now()),
}: LoggerOptions): Logger {
  const render = format === 'json' ? jsonLine : textLine;
  const levels: LogVerbosity = typeof given === 'number' ? { verbosity: given, components: [] } : given;
  const make = (part: string, inherited: LogFields): Logger => {
    const record = (severity: Severity, level: number, message: string, fields: LogFields) =>
      (severity === 'info' ? writeInformation : write)(
        render({ severity, part, message, fields: { ...inherited, ...fields }, level, at: now() }),
      );
    const own = levels.components.find(({ pattern }) => matchesWildcards(pattern, part))?.verbosity;
    return new PartLogger(
      record,
      () => own ?? levels.verbosity,
      (name, fields) => make(name, { ...inherited, ...fields }),
    );
  };
  return make('binnacle', {});
}

/** Writes a record of a part. */
type WriteRecord = (severity: Severity, level: number, message: string, fields: LogFields) => void;

/** The logger of a part. */
class PartLogger implements Logger {
  readonly #record: WriteRecord;
  readonly #verbosity: () => number;
  readonly #child: (name: string, fields: LogFields) => Logger;

  constructor(
    record: WriteRecord,
    verbosity: () => number,
    child: (name: string, fields: LogFields) => Logger,
  ) {
    this.#record = record;
    this.#verbosity = verbosity;
    this.#child = child;
  }

  get verbosity(): number {
    return this.#verbosity();
  }

  error(message: string, fields: LogFields = {}): void {
    this.#record('error', 0, message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#record('warning', 0, message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#record('info', 0, message, fields);
  }

  detail(level: number, message: string, fields: LogFields = {}): void {
    if (level <= this.#verbosity()) this.#record('info', level, message, fields);
  }

  child(name: string, fields: LogFields = {}): Logger {
    return this.#child(name, fields);
  }
}

/** Discards all records: for tests and for servers embedded in other programs. */
export const SILENT: Logger = {
  verbosity: 0,
  error: () => {},
  warn: () => {},
  info: () => {},
  detail: () => {},
  child: () => SILENT,
};

/** Whether a text matches a pattern with the wildcards `*` and `?`. */
export function matchesWildcards(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at++;
      resume = position;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

const LETTERS: Record<Severity, string> = { error: 'E', warning: 'W', info: 'I' };

function textLine({ severity, part, message, fields, at }: LogRecord): string {
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  const date = `${pad(at.getMonth() + 1, 2)}${pad(at.getDate(), 2)}`;
  const time = `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}.${pad(at.getMilliseconds(), 3)}000`;
  let line = `${LETTERS[severity]}${date} ${time} ${String(process.pid).padStart(7)} ${part}] ${quote(message)}`;
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) line += ` ${key}=${textValue(value)}`;
  return `${line}\n`;
}

function textValue(value: unknown): string {
  const text = value instanceof Error ? value.message : value;
  if (typeof text === 'number' || typeof text === 'boolean' || typeof text === 'bigint') return String(text);
  if (typeof text !== 'string') return quote(safeJson(text));
  return text.includes('\n') ? `<\n\t${text.replaceAll('\n', '\n\t')}\n >` : quote(text);
}

/** Quotes a value so that it cannot be mistaken for another field or line. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function jsonLine({ severity, part, message, fields, level, at }: LogRecord): string {
  const record: Record<string, unknown> = {
    ts: at.getTime(),
    level: severity,
    logger: part,
    msg: message,
    ...(severity === 'error' ? {} : { v: level }),
  };
  for (const [key, value] of Object.entries(fields))
    if (!Object.hasOwn(record, key)) record[key] = value instanceof Error ? value.message : value;
  return `${safeJson(record)}\n`;
}

function safeJson(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ??
      'undefined'
    );
  } catch {
    return JSON.stringify(String(value));
  }
}

/** Stack or text of a thrown value. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
