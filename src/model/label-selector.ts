import { BinnacleError } from '../errors/binnacle-error.ts';
import { quote } from '../errors/quote.ts';
import { labelValue, qualifiedName } from './name-syntax.ts';

/**
 * Label selectors of lists and watches: parsed once, matched often. Error texts are those of kube-apiserver.
 */

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Whether all requirements match. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

export class SelectorSyntaxError extends BinnacleError {
  override name = 'SelectorSyntaxError';
  readonly code = 'ERR_BINNACLE_SELECTOR_SYNTAX';
}

export const EVERYTHING: LabelSelector = { requirements: [], matches: () => true };

/** Maximum characters of a selector: it is parsed at once, and compared with many objects. */
export const MAXIMUM_SELECTOR_LENGTH = 64 * 1024;

/** @throws SelectorSyntaxError */
export function checkSelectorLength(text: string): void {
  if (text.length > MAXIMUM_SELECTOR_LENGTH)
    throw new SelectorSyntaxError(
      `the selector has ${text.length} characters, more than ${MAXIMUM_SELECTOR_LENGTH}`,
    );
}

/** @throws SelectorSyntaxError */
export function parseLabelSelector(text: string): LabelSelector {
  checkSelectorLength(text);
  const requirements = new LabelSelectorParser(text).parse();
  return requirements.length === 0 ? EVERYTHING : selectorOf(requirements);
}

/** Requires labels with these values. */
export const equalities = (labels: Readonly<Record<string, string>>): LabelRequirement[] =>
  Object.entries(labels).map(([key, value]) => ({ key, operator: 'in', values: [value] }));

export function selectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const tests = requirements.map(testOf);
  const [first] = tests;
  if (tests.length === 1)
    return { requirements, matches: (labels) => first!(labelOf(labels, requirements[0]!.key)) };
  if (tests.length > FEW_REQUIREMENTS) return { requirements, matches: matcherOf(requirements, tests) };
  return {
    requirements,
    matches: (labels) => tests.every((test, index) => test(labelOf(labels, requirements[index]!.key))),
  };
}

/** More requirements are looked up by the keys of the labels. */
const FEW_REQUIREMENTS = 8;

type ValueTest = (value: string | undefined) => boolean;

/** A test whose time depends on the number of labels, not on that of the requirements. */
function matcherOf(
  requirements: readonly LabelRequirement[],
  tests: readonly ValueTest[],
): LabelSelector['matches'] {
  const byKey = new Map<string, ValueTest[]>();
  const needed = new Set<string>();
  for (const [index, { key }] of requirements.entries()) {
    const test = tests[index]!;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [test]);
    else known.push(test);
    if (!test(undefined)) needed.add(key);
  }
  return (labels = {}) => {
    const keys = Object.keys(labels);
    if (keys.length < needed.size) return false;
    for (const key of needed) if (!Object.hasOwn(labels, key)) return false;
    return keys.every((key) => byKey.get(key)?.every((test) => test(labels[key])) ?? true);
  };
}

/** Returns the value of a label; undefined if it is absent. */
export function labelOf(
  labels: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** The test of a requirement on its label's value, which is undefined when the label is absent. */
function testOf({ operator, values }: LabelRequirement): (value: string | undefined) => boolean {
  const [only] = values;
  const few: (value: string) => boolean =
    values.length === 1
      ? (value) => value === only
      : (
          (set) => (value: string) =>
            set.has(value)
        )(new Set(values));
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return (value) => value !== undefined && few(value);
    case '!=':
    case 'notin':
      return (value) => value === undefined || !few(value);
    case 'exists':
      return (value) => value !== undefined;
    case '!':
      return (value) => value === undefined;
    case 'gt':
    case 'lt': {
      const right = parseInteger(only!);
      return (value) => {
        const left = value === undefined ? undefined : parseInteger(value);
        if (left === undefined || right === undefined) return false;
        return operator === 'gt' ? left > right : left < right;
      };
    }
  }
}

function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;
}

type Token = {
  readonly kind:
    | 'identifier'
    | 'end'
    | '!'
    | ','
    | '('
    | ')'
    | '='
    | '=='
    | '!='
    | '>'
    | '<'
    | 'in'
    | 'notin';
  readonly text: string;
};

/** Where a token is read: `in` and `notin` are operators in one place only. */
type Context = 'operator' | 'values';

const SPECIAL = '=!(),><';
const BLANK = ' \t\r\n';

/**
 * Recursive descent over the selector grammar; `in` and `notin` are operators only where an operator is
 * allowed.
 */
class LabelSelectorParser {
  #position = 0;
  /** The next token, once it has been looked at. */
  #peeked: { readonly token: Token; readonly context: Context; readonly end: number } | undefined;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek('values');
      if (token.kind === 'identifier' || token.kind === '!') {
        requirements.push(this.#requirement());
        const separator = this.#next('values');
        if (separator.kind === 'end') break;
        if (separator.kind !== ',')
          throw new SelectorSyntaxError(`found '${separator.text}', expected: ',' or 'end of string'`);
        const following = this.#peek('values');
        if (following.kind !== 'identifier' && following.kind !== '!')
          throw new SelectorSyntaxError(`found '${following.text}', expected: identifier after ','`);
      } else if (token.kind === 'end') break;
      else
        throw new SelectorSyntaxError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    }
    return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  #requirement(): LabelRequirement {
    try {
      const negated = this.#peek('values').kind === '!' && this.#next('values') !== undefined;
      const keyToken = this.#next('values');
      if (keyToken.kind !== 'identifier')
        throw new SelectorSyntaxError(`found '${keyToken.text}', expected: identifier`);
      const key = keyToken.text;
      checkKey(key);
      if (negated) return { key, operator: '!', values: [] };
      const following = this.#peek('operator');
      if (following.kind === 'end' || following.kind === ',') return { key, operator: 'exists', values: [] };
      const operator = this.#operator();
      const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
      checkValues(key, operator, values);
      return { key, operator, values };
    } catch (error) {
      if (error instanceof SelectorSyntaxError)
        throw new SelectorSyntaxError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #operator(): LabelOperator {
    const { kind, text } = this.#next('operator');
    switch (kind) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
        return kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        throw new SelectorSyntaxError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #values(): string[] {
    const open = this.#next('values');
    if (open.kind !== '(') throw new SelectorSyntaxError(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    let token = this.#peek('values');
    if (token.kind !== 'identifier' && token.kind !== ',') {
      if (token.kind === ')') {
        this.#next('values');
        return [''];
      }
      throw new SelectorSyntaxError(`found '${token.text}', expected: ',', ')' or identifier`);
    }
    for (;;) {
      token = this.#next('values');
      if (token.kind === 'identifier') {
        values.add(token.text);
        token = this.#next('values');
        if (token.kind === ')') break;
        if (token.kind !== ',') throw new SelectorSyntaxError(`found '${token.text}', expected: ',' or ')'`);
        if (this.#peek('values').kind === ')') values.add('');
      } else if (token.kind === ',') {
        values.add('');
      } else if (token.kind === ')') {
        break;
      } else throw new SelectorSyntaxError(`found '${token.text}', expected: ',', or identifier`);
    }
    return [...values].sort();
  }

  #exactValue(): string {
    const token = this.#peek('values');
    if (token.kind === 'end' || token.kind === ',') return '';
    this.#next('values');
    if (token.kind !== 'identifier')
      throw new SelectorSyntaxError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #peek(context: Context): Token {
    if (this.#peeked?.context === context) return this.#peeked.token;
    const before = this.#position;
    const token = this.#next(context);
    this.#peeked = { token, context, end: this.#position };
    this.#position = before;
    return token;
  }

  #next(context: Context): Token {
    const peeked = this.#peeked;
    this.#peeked = undefined;
    if (peeked?.context === context) {
      this.#position = peeked.end;
      return peeked.token;
    }
    const text = this.#text;
    while (this.#position < text.length && BLANK.includes(text[this.#position]!)) this.#position += 1;
    // Go's lexer takes a NUL for the end.
    if (this.#position >= text.length || text[this.#position] === '\0') return { kind: 'end', text: '' };
    const start = this.#position;
    if (SPECIAL.includes(text[start]!)) {
      const two = text.slice(start, start + 2);
      const symbol = two === '==' || two === '!=' ? two : text[start]!;
      this.#position += symbol.length;
      return { kind: symbol as Token['kind'], text: symbol };
    }
    while (
      this.#position < text.length &&
      !SPECIAL.includes(text[this.#position]!) &&
      !BLANK.includes(text[this.#position]!)
    )
      this.#position += 1;
    const word = text.slice(start, this.#position);
    return {
      kind: context === 'operator' && (word === 'in' || word === 'notin') ? word : 'identifier',
      text: word,
    };
  }
}

/** Wrong values that an error names. */
const MAXIMUM_ERRORS = 1000;

function checkKey(key: string): void {
  const problems = qualifiedName(key);
  if (problems.length > 0)
    throw new SelectorSyntaxError(`<nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`);
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  const found: string[] = [];
  if ((operator === 'gt' || operator === 'lt') && parseInteger(values[0]!) === undefined)
    found.push(
      `values[0]: Invalid value: ${quote(values[0]!)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  for (const [index, value] of values.entries()) {
    if (found.length >= MAXIMUM_ERRORS) break;
    const problems = labelValue(value);
    if (problems.length > 0)
      found.push(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${problems.join('; ')}`);
  }
  const different = [...new Set(found)];
  if (different.length > 0)
    throw new SelectorSyntaxError(different.length === 1 ? different[0]! : `[${different.join(', ')}]`);
}
