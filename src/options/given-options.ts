import { ConfigurationError } from '../errors/configuration-error.ts';
import { quote } from '../errors/quote.ts';
import { type Form, PAIR, PAIRS } from './flags/forms.ts';
import { FLAGS, flagOf, type OptionName } from './flags/table.ts';

/** Longest text of a given value, or of a hint, in an error. */
const SHOWN = 80;
/** The most unknown options that an error names. */
const NAMED = 5;

/** Forms for which an object is natural, so that the error shows it as a list. */
const PAIR_FORMS: ReadonlySet<unknown> = new Set([PAIR, PAIRS]);

/** Option by its name in lower case, for names in another spelling. */
const OPTION_BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  Object.keys(FLAGS).map((option) => [option.toLowerCase(), option]),
);

/**
 * Returns one error for each option that does not exist or whose value is not of the form of its flag. Values
 * of undefined count as absent.
 */
export function misgivenOptions(options: Readonly<Record<string, unknown>>): string[] {
  const named = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = named.filter(([option]) => !Object.hasOwn(FLAGS, option));
  const wrong = named.filter(
    ([option, value]) => Object.hasOwn(FLAGS, option) && !flagOf(option as OptionName).form.accepts(value),
  );
  return [
    ...(unknown.length > 0 ? [`unknown option: ${nameUnknown(unknown.map(([option]) => option))}`] : []),
    ...wrong.map(([option, value]) => misgiven(option, flagOf(option as OptionName).form, value)),
  ];
}

/**
 * Checks that an argument of the library is an object.
 * @param what the argument, for the error
 * @throws ConfigurationError
 */
export function requireObject(value: unknown, what: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigurationError(`${what} must be an object, not ${shown(value)}`);
}

/** Checks the receiver of log lines. @throws ConfigurationError unless it is a function or undefined */
export function requireLog(log: unknown): void {
  if (log !== undefined && typeof log !== 'function')
    throw new ConfigurationError(`log must be a function, not ${shown(log)}`);
}

function nameUnknown(options: readonly string[]): string {
  const names = options.slice(0, NAMED).map((option) => {
    const known = OPTION_BY_LOWER_CASE.get(option.replace(/[-_]/g, '').toLowerCase());
    const name = /^[\w-]+$/.test(option) && option.length <= SHOWN ? option : quote(option, SHOWN);
    return known === undefined ? name : `${name} (did you mean ${known}?)`;
  });
  const more = options.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function misgiven(option: string, form: Form<unknown>, value: unknown): string {
  const hint = literalFor(form, value);
  return `${option} must be ${form.described}, not ${shownAs(form, value)}${hint === undefined ? '' : `: write ${hint}`}`;
}

/** {@link shown}; of a list for a form of lists, the first wrong item. */
function shownAs(form: Form<unknown>, value: unknown): string {
  if (!Array.isArray(value) || !form.accepts([])) return shown(value);
  const index = Array.from(value).findIndex((item) => !form.accepts([item]));
  return `a list with ${shown(value[index])} at index ${index}`;
}

/** A value in a few words. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value, SHOWN);
  if (typeof value === 'bigint') return 'a bigint';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The value that was probably meant, as JavaScript; undefined if none is apparent. */
function literalFor(form: Form<unknown>, value: unknown): string | undefined {
  const meant =
    typeof value === 'string' ? parsed(form, value) : PAIR_FORMS.has(form) ? pairsOf(value) : undefined;
  if (meant === undefined || !form.accepts(meant)) return undefined;
  const literal = JSON.stringify(meant);
  return literal.length <= SHOWN ? literal : undefined;
}

/** The value of the flag with this text. */
function parsed(form: Form<unknown>, text: string): unknown {
  try {
    return text.length <= SHOWN ? form.parse(text, undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** `{ a: true }` as `['a=true']`; undefined unless it is an object with texts, numbers and booleans. */
function pairsOf(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const pairs = Object.entries(value).slice(0, SHOWN);
  return pairs.length > 0 && pairs.every(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
    ? pairs.map(([name, item]) => `${name}=${item}`)
    : undefined;
}
