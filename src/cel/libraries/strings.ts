import { firstOnce, firstTwice, resultTwice } from '../cost/runtime.ts';
import type { Frame } from '../planner/frame.ts';
import { ErrorValue } from '../values/error-value.ts';
import { type ListValue, TextList } from '../values/list.ts';
import { codePointCount, codePoints } from '../values/text.ts';
import { isError, runtimeTypeName, type Value } from '../values/value.ts';
import { formatText } from './format-clauses.ts';
import type { CelFunction, Implementation, Overload } from './function.ts';
import { countCreatedText } from './limits.ts';
import { quoteText } from './quote.ts';

const outOfRange = (index: number | bigint): ErrorValue => new ErrorValue(`index out of range: ${index}`);

const member = (
  id: string,
  argumentKinds: readonly string[],
  invoke: (frame: Frame, text: string, second: never, third: never) => Value,
): Overload => ({
  id,
  arguments: ['string', ...argumentKinds],
  invoke: (frame, text, second, third) => invoke(frame, text as string, second as never, third as never),
});

/** The text between two positions in code points; an undefined end is the end of the text. */
function substring(text: string, start: number, end: number | undefined): Value {
  const count = codePointCount(text);
  const last = end ?? count;
  if (end !== undefined && start > end)
    return new ErrorValue(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > count) return outOfRange(start);
  if (last < 0 || last > count) return outOfRange(last);
  return count === text.length
    ? text.slice(start, last)
    : text.slice(
        ...[start, last].map((position) => (position === count ? text.length : unitOf(text, position))),
      );
}

/** The character at a position; '' at the end of the text. */
function charAt(text: string, index: number | bigint): Value {
  const unit = index < 0 || index > text.length ? -1 : unitOf(text, Number(index));
  if (unit >= 0) return String.fromCodePoint(text.codePointAt(unit)!);
  return index === codePointCount(text) ? '' : outOfRange(index);
}

/** The position, in code points, of the first occurrence at or after a position; -1 when there is none. */
export function indexOfText(text: string, part: string, from: number | bigint): Value {
  if (part === '') return from;
  if (from < 0) return outOfRange(from);
  const start = Number(from) >= text.length ? -1 : unitOf(text, Number(from));
  const unit = start < 0 ? -1 : text.indexOf(part, start);
  return unit < 0 ? -1 : codePointCount(text.slice(0, unit));
}

/** The position of the last occurrence that starts at or before a position. */
export function lastIndexOfText(text: string, part: string, from: number | bigint): Value {
  if (part === '') return from;
  if (from < 0) return outOfRange(from);
  const start = Number(from) >= text.length ? -1 : unitOf(text, Number(from));
  const unit = start < 0 ? -1 : text.lastIndexOf(part, start);
  return unit < 0 ? -1 : codePointCount(text.slice(0, unit));
}

/** The UTF-16 index of a position in code points; -1 beyond the end. */
function unitOf(text: string, position: number): number {
  let unit = 0;
  for (let left = position; left > 0 && unit < text.length; left--)
    unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
  return unit < text.length ? unit : -1;
}

function replace(frame: Frame, text: string, from: string, to: string, max: number): Value {
  if (max === 0 || from === to) return text;
  const pieces = from === '' ? codePoints(text) : text.split(from);
  const all = from === '' ? pieces.length + 1 : pieces.length - 1;
  const count = max < 0 ? all : Math.min(max, all);
  countCreatedText(frame, text.length + count * (to.length - from.length));
  if (from === '')
    return `${pieces
      .slice(0, count)
      .map((piece) => to + piece)
      .join('')}${count > pieces.length ? to : pieces.slice(count).join('')}`;
  const head = pieces.slice(0, count + 1).join(to);
  return count < all ? head + from + pieces.slice(count + 1).join(from) : head;
}

function split(text: string, separator: string, max: number): Value {
  if (max === 0) return new TextList([]);
  const pieces = separator === '' ? codePoints(text) : text.split(separator);
  if (max < 0 || pieces.length <= max) return new TextList(pieces);
  return new TextList([...pieces.slice(0, max - 1), pieces.slice(max - 1).join(separator)]);
}

function join(frame: Frame, list: ListValue, separator: string): Value {
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const piece = list.get(index);
    if (typeof piece !== 'string')
      return isError(piece) ? piece : new ErrorValue(`no such overload: join(list)`);
    length += piece.length + (index > 0 ? separator.length : 0);
    // The cost depends on the size of the result; stops early when it must exceed the limit.
    if (index % 1024 === 0) frame.ensureAffordable(length / 10);
    pieces.push(piece);
  }
  countCreatedText(frame, length);
  return pieces.join(separator);
}

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const TRAILING_CHARACTER = new RegExp(SPACE);

function trim(text: string): string {
  const rest = text.replace(LEADING, '');
  let end = rest.length;
  while (end > 0 && TRAILING_CHARACTER.test(rest[end - 1]!)) end--;
  return rest.slice(0, end);
}

const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

const format: Implementation = (frame, text, list) => {
  if ((list as ListValue).kind !== 'list')
    return new ErrorValue(`no such overload: format(string, ${runtimeTypeName(list)})`);
  return formatText(frame, text as string, list as ListValue);
};

/** Text functions, with positions in code points. */
export const STRINGS: readonly CelFunction[] = [
  {
    name: 'charAt',
    overloads: [
      member('string_char_at_int', ['int'], (frame, text, index: number | bigint) => {
        frame.work(Math.min(text.length, Math.abs(Number(index))) >> 3);
        return charAt(text, index);
      }),
    ],
  },
  {
    name: 'lowerAscii',
    cost: firstOnce,
    overloads: [member('string_lower_ascii', [], (_frame, text) => lower(text))],
  },
  {
    name: 'upperAscii',
    cost: firstOnce,
    overloads: [member('string_upper_ascii', [], (_frame, text) => upper(text))],
  },
  { name: 'trim', cost: firstOnce, overloads: [member('string_trim', [], (_frame, text) => trim(text))] },
  {
    name: 'replace',
    cost: firstTwice,
    overloads: [
      member('string_replace_string_string', ['string', 'string'], (frame, text, from: string, to: string) =>
        replace(frame, text, from, to, -1),
      ),
      {
        id: 'string_replace_string_string_int',
        arguments: ['string', 'string', 'string', 'int'],
        invoke: (frame, text, from, to, max) =>
          replace(frame, text as string, from as string, to as string, Number(max)),
      },
    ],
  },
  {
    name: 'split',
    cost: firstTwice,
    overloads: [
      member('string_split_string', ['string'], (_frame, text, separator: string) =>
        split(text, separator, -1),
      ),
      member('string_split_string_int', ['string', 'int'], (_frame, text, separator: string, max: number) =>
        split(text, separator, Number(max)),
      ),
    ],
  },
  {
    name: 'join',
    cost: resultTwice,
    overloads: [
      { id: 'list_join', arguments: ['list'], invoke: (frame, list) => join(frame, list as ListValue, '') },
      {
        id: 'list_join_string',
        arguments: ['list', 'string'],
        invoke: (frame, list, separator) => join(frame, list as ListValue, separator as string),
      },
    ],
  },
  {
    name: 'substring',
    cost: firstOnce,
    overloads: [
      member('string_substring_int', ['int'], (_frame, text, start: number) =>
        substring(text, start, undefined),
      ),
      member('string_substring_int_int', ['int', 'int'], (_frame, text, start: number, end: number) =>
        substring(text, start, end),
      ),
    ],
  },
  {
    name: 'format',
    overloads: [{ id: 'string_format', arguments: ['string', 'any'], invoke: format, cost: firstOnce }],
  },
  {
    name: 'strings.quote',
    overloads: [
      {
        ...member('strings_quote', [], (frame, text) => {
          countCreatedText(frame, text.length * 2 + 2);
          return quoteText(text);
        }),
        cost: firstOnce,
      },
    ],
  },
];
