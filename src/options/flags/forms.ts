import { addressFamily } from '../../addresses/address.ts';
import { parseGoBoolean } from '../../model/go-boolean.ts';
import { formatMilliseconds, parseMilliseconds } from '../../time/duration.ts';

/** Parses and formats the values of a flag. */
export interface Form<Value> {
  /** Name of the form in `--help`. */
  readonly name: string;
  /** What an option of the library must be, in words that follow "must be". */
  readonly described: string;
  /** Whether a value can be that of an option of the library. Every parsed value is one. */
  accepts(value: unknown): value is Value;
  /** Value of a flag without text (`--flag`); undefined if a text is required. */
  readonly alone?: string;
  /**
   * Parses a value. `earlier` is the value of earlier occurrences on the same command line.
   * @throws Error with the reason
   */
  parse(text: string, earlier: Value | undefined): Value;
  /** Formats the default for `--help`; undefined hides it. */
  show(value: Value): string | undefined;
}

/** An inclusive range of ports. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a boolean with Go's spellings.
 * @throws Error with Go's text
 */
export function parseBoolean(text: string): boolean {
  const value = parseGoBoolean(text);
  if (value !== undefined) return value;
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseInteger(text: string): number {
  const syntaxError = (what: string) =>
    new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`);
  const sign = /^[+-]/.test(text) ? text[0]! : '';
  const digits = text.slice(sign.length);
  if (!/^(0[xX](_?[0-9a-fA-F])+|0[oO]?(_?[0-7])+|0[bB](_?[01])+|0|[1-9](_?\d)*)$/.test(digits))
    throw syntaxError('invalid syntax');
  const plain = digits.replaceAll('_', '');
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
  if (!Number.isSafeInteger(value)) throw syntaxError('value out of range');
  return sign === '-' ? -value : value;
}

const MOST_VERBOSE = 0x7fff_ffff;

/** Parses a verbosity, an unsigned 32-bit decimal. @throws Error with the text of Go's strconv */
function parseVerbosity(text: string): number {
  const syntaxError = (what: string) =>
    new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${what}`);
  if (!/^\d+$/.test(text)) throw syntaxError('invalid syntax');
  if (Number(text) > MOST_VERBOSE) throw syntaxError('value out of range');
  return Number(text);
}

/**
 * Splits a text like a CSV record: fields may be quoted.
 * @throws Error with the text and the column of Go's reader
 */
export function splitList(text: string): string[] {
  const fields: string[] = [];
  for (let at = 0; text !== '' && at <= text.length; ) {
    const { field, end } = text[at] === '"' ? quotedField(text, at) : bareField(text, at);
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

function bareField(text: string, start: number): { field: string; end: number } {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  const quote = text.indexOf('"', start);
  if (quote >= 0 && quote < end) throw listError(text, quote, 'bare " in non-quoted field');
  return { field: text.slice(start, end), end };
}

function quotedField(text: string, start: number): { field: string; end: number } {
  let field = '';
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw listError(text, text.length, 'extraneous or missing " in quoted-field');
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      if (quote + 1 === text.length || text[quote + 1] === ',') return { field, end: quote + 1 };
      throw listError(text, quote, 'extraneous or missing " in quoted-field');
    }
    field += '"';
    at = quote + 2;
  }
}

/** Columns count bytes from 1. */
function listError(text: string, at: number, problem: string): Error {
  return new Error(`parse error on line 1, column ${Buffer.byteLength(text.slice(0, at)) + 1}: ${problem}`);
}

const quoted = (value: string) => (value === '' ? undefined : JSON.stringify(value));
const formatList = (value: readonly string[]) => (value.length === 0 ? undefined : `[${value.join(',')}]`);

/** Text as a command line or a path can hold it. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

/** Accepts arrays without holes whose items are texts that match. */
const isListOf =
  (matches: (item: string) => boolean) =>
  (value: unknown): value is readonly string[] =>
    Array.isArray(value) && Array.from(value).every((item) => isText(item) && matches(item));
const isList = isListOf(() => true);

export const TEXT: Form<string> = {
  name: 'string',
  described: 'a string',
  accepts: isText,
  parse: (text) => text,
  show: quoted,
};
export const INTEGER: Form<number> = {
  name: 'int',
  described: 'an integer',
  accepts: isInteger,
  parse: parseInteger,
  show: (value) => (value === 0 ? undefined : String(value)),
};
export const VERBOSITY: Form<number> = {
  ...INTEGER,
  name: 'Level',
  described: 'an integer from 0 to 2147483647',
  accepts: (value): value is number => isInteger(value) && value >= 0 && value <= MOST_VERBOSE,
  parse: parseVerbosity,
};
export const BOOLEAN: Form<boolean> = {
  name: '',
  described: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  alone: 'true',
  parse: parseBoolean,
  show: (value) => (value ? 'true' : undefined),
};
export const DURATION: Form<number> = {
  name: 'duration',
  described: 'milliseconds as a number',
  accepts: isFiniteNumber,
  parse: parseMilliseconds,
  show: (value) => (value === 0 ? undefined : formatMilliseconds(value)),
};

export const FLOAT: Form<number> = {
  name: 'float',
  described: 'a number',
  accepts: isFiniteNumber,
  parse(text) {
    if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text))
      throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
    if (!Number.isFinite(Number(text)))
      throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: value out of range`);
    return Number(text);
  },
  show: (value) => (value === 0 ? undefined : String(value)),
};

/** Comma-separated; occurrences accumulate. */
export const LIST: Form<readonly string[]> = {
  name: 'strings',
  described: "a list of strings such as ['a', 'b']",
  accepts: isList,
  parse: (text, earlier = []) => [...earlier, ...splitList(text)],
  show: formatList,
};
/** One value per occurrence, which may contain commas. */
export const REPEATED: Form<readonly string[]> = {
  name: 'stringArray',
  described: "a list of strings such as ['a', 'b']",
  accepts: isList,
  parse: (text, earlier = []) => [...earlier, text],
  show: formatList,
};
/** Comma-separated `key=value`; occurrences accumulate; keys without value stay unchanged. */
export const PAIRS: Form<readonly string[]> = {
  name: 'mapStringString',
  described: "a list of strings such as ['name=true']",
  accepts: isList,
  parse: (text, earlier = []) => [
    ...earlier,
    ...text
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== ''),
  ],
  show: formatList,
};
/** One `key=value` per occurrence; the value may contain commas. */
export const PAIR: Form<readonly string[]> = {
  name: 'mapStringString',
  described: "a list of strings such as ['key=value']",
  accepts: isListOf((item) => item.includes('=')),
  parse(text, earlier = []) {
    if (!text.includes('=')) throw new Error(`malformed pair, expect string=string`);
    return [...earlier, text];
  },
  show: formatList,
};

/** @throws Error unless the text is `pattern=N` */
function checkFileVerbosity(item: string): void {
  const equals = item.indexOf('=');
  if (equals < 1 || equals === item.length - 1)
    throw new Error(`${JSON.stringify(item)} does not have the pattern=N format`);
  try {
    parseVerbosity(item.slice(equals + 1));
  } catch (error) {
    throw new Error(`parsing verbosity in ${JSON.stringify(item)}: ${(error as Error).message}`);
  }
}

function isFileVerbosity(item: string): boolean {
  try {
    checkFileVerbosity(item);
    return true;
  } catch {
    return false;
  }
}

/** Comma-separated `pattern=N`: verbosity per source file. */
export const FILE_VERBOSITY: Form<readonly string[]> = {
  name: 'pattern=N,...',
  described: "a list of strings such as ['http*=4']",
  accepts: isListOf(isFileVerbosity),
  parse(text, earlier = []) {
    const items = text.split(',').filter((item) => item !== '');
    items.forEach(checkFileVerbosity);
    return [...earlier, ...items];
  },
  show: formatList,
};

export const ADDRESS: Form<string> = {
  name: 'ip',
  described: 'an IP address as a string',
  accepts: (value): value is string => value === '' || (isText(value) && addressFamily(value) !== 0),
  parse(text) {
    const address = text.trim();
    if (addressFamily(address) === 0) throw new Error(`failed to parse IP: ${JSON.stringify(text)}`);
    return address;
  },
  show: (value) => value || undefined,
};

/** @throws Error with the text of Go's strconv */
function parsePort(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** The range of node ports that an empty value stands for, too. */
export const DEFAULT_PORT_RANGE: PortRange = { first: 30_000, last: 32_767 };

function isPortRange(value: unknown): value is PortRange {
  if (typeof value !== 'object' || value === null) return false;
  const { first, last } = value as Partial<PortRange>;
  return isInteger(first) && isInteger(last) && first >= 0 && first <= last && last <= 65_535;
}

export const PORT_RANGE: Form<PortRange> = {
  name: 'portRange',
  described: 'an object such as { first: 30000, last: 32767 }',
  accepts: isPortRange,
  parse(text) {
    if (text.trim() === '') return DEFAULT_PORT_RANGE;
    const value = text.trim();
    const hyphen = value.indexOf('-');
    const separator = hyphen >= 0 ? hyphen : value.indexOf('+');
    const first = parsePort(separator < 0 ? value : value.slice(0, separator));
    const other = separator < 0 ? first : parsePort(value.slice(separator + 1));
    const last = value[separator] === '+' ? first + other : other;
    if (first > 65_535 || last > 65_535)
      throw new Error(`the port range cannot be greater than 65535: ${text}`);
    if (last < first) throw new Error(`end port cannot be less than start port: ${text}`);
    return { first, last };
  },
  show: (value) => `${value.first}-${value.last}`,
};

const QUANTITY_UNITS = new Map([
  ['', 1],
  ['k', 1e3],
  ['K', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
]);

/** Bytes, with a decimal or binary unit. */
export const QUANTITY: Form<number> = {
  name: 'quantity',
  described: 'bytes as an integer of 0 or more',
  accepts: (value): value is number => Number.isInteger(value) && (value as number) >= 0,
  parse(text) {
    const match = /^(\d+(?:\.\d*)?)([A-Za-z]*)$/.exec(text);
    const unit = match === null ? undefined : QUANTITY_UNITS.get(match[2]!);
    if (match === null || unit === undefined)
      throw new Error(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    return Math.ceil(Number(match[1]) * unit);
  },
  show: (value) => (value === 0 ? undefined : String(value)),
};
