import { JsonPathError, type Literal, type Node, type Slice } from './nodes.ts';
import { unquote } from './unquote.ts';

/** Filters and unions inside each other; deeper ones are refused. */
const MAXIMUM_DEPTH = 10;
/** Longest path; definitions may contain longer texts, but no useful path is. */
const MAXIMUM_LENGTH = 10_000;

const TERMINATORS = new Set(' \t\r\n.,[]$@{}');
const OPERATORS = new Set('!<>=');
const WORD = /[\p{L}\p{Nd}_]/u;
const DIGIT = /\p{Nd}/u;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const KEY = /^'([^']*)'$/;
const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Parses a path as kubectl and printer columns write it (`.spec.list[0].name`, `..name`,
 * `.items[?(@.type=="Ready")].status`), without the surrounding braces.
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): readonly Node[] {
  if (text.length > MAXIMUM_LENGTH) throw new JsonPathError('path is too long');
  return new Parser(`${text}}`, 0).parse();
}

/** A parser of one action: the text up to the closing brace. What follows is not evaluated. */
class Parser {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  readonly #nodes: Node[] = [];

  constructor(text: string, depth: number) {
    if (depth > MAXIMUM_DEPTH) throw new JsonPathError('too many nested filters');
    this.#text = text;
    this.#depth = depth;
  }

  parse(): readonly Node[] {
    while (!this.#text.startsWith('}', this.#at)) this.#part();
    return this.#nodes;
  }

  #part(): void {
    const character = this.#character();
    if (this.#text.startsWith('[?(', this.#at)) this.#filter();
    else if (this.#text.startsWith('..', this.#at)) this.#recursive();
    else if (character === '' || character === '\n' || character === '\r')
      throw new JsonPathError('unclosed action');
    else if (character === '+' || character === '-' || DIGIT.test(character)) this.#number();
    else if (WORD.test(character)) this.#identifier();
    else {
      this.#at += character.length;
      this.#marked(character);
    }
  }

  /** A part that begins with this character, which is consumed. */
  #marked(character: string): void {
    if (character === '[') this.#brackets();
    else if (character === '"' || character === "'") this.#quoted(character);
    else if (character === '.') this.#field();
    else if (character !== ' ' && character !== '@' && character !== '$')
      throw new JsonPathError(`unrecognized character in action: ${character}`);
  }

  /** The next character, or an empty text at the end. */
  #character(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #inner(text: string): readonly Node[] {
    return new Parser(`${text}}`, this.#depth + 1).parse();
  }

  #field(): void {
    const from = this.#at;
    while (this.#at < this.#text.length && !TERMINATORS.has(this.#text[this.#at]!))
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    const written = this.#text.slice(from, this.#at);
    this.#nodes.push(
      written === '*' ? { type: 'wildcard' } : { type: 'field', name: written.replaceAll('\\', '') },
    );
  }

  #recursive(): void {
    if (this.#nodes.at(-1)?.type === 'recursive')
      throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    this.#nodes.push({ type: 'recursive' });
    if (WORD.test(this.#character())) this.#field();
  }

  #identifier(): void {
    const from = this.#at;
    while (this.#at < this.#text.length && !TERMINATORS.has(this.#text[this.#at]!)) this.#at += 1;
    const name = this.#text.slice(from, this.#at);
    if (name === 'true' || name === 'false') this.#literal('boolean', name === 'true');
    else this.#nodes.push({ type: 'identifier', name });
  }

  #number(): void {
    const from = this.#at;
    this.#at += 1;
    while (/[\d.]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    const written = this.#text.slice(from, this.#at);
    if (INTEGER.test(written)) this.#literal('integer', Number(written));
    else if (FLOAT.test(written)) this.#literal('float', Number(written));
    else throw new JsonPathError(`cannot parse number ${written}`);
  }

  #quoted(quote: string): void {
    const from = this.#at - 1;
    const end = this.#closingQuote(quote);
    this.#at = end + 1;
    this.#literal('string', unquote(this.#text.slice(from, this.#at)));
  }

  #closingQuote(quote: string): number {
    for (let at = this.#at; at < this.#text.length && this.#text[at] !== '\n'; at += 1)
      if (this.#text[at] === quote && this.#text[at - 1] !== '\\') return at;
    throw new JsonPathError('unterminated quoted string');
  }

  #literal(kind: Literal['kind'], value: Literal['value']): void {
    this.#nodes.push({ type: 'literal', value: { kind, value } });
  }

  #brackets(): void {
    const from = this.#at;
    const end = this.#text.indexOf(']', from);
    const written = this.#text.slice(from, end);
    if (end < 0 || written.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    const members = written.split(',');
    if (members.length > 1) {
      const parsed = members.map((member) => this.#inner(`[${member.replace(/^ +/, '').trimEnd()}]`));
      this.#nodes.push({ type: 'union', members: parsed });
      return;
    }
    const key = KEY.exec(written);
    // A quoted key is parsed like `.field`: the same characters end it.
    if (key !== null) this.#nodes.push(...this.#inner(`.${key[1]}`));
    else this.#nodes.push({ type: 'slice', slice: sliceOf(written === '*' ? ':' : written) });
  }

  #filter(): void {
    const from = this.#at + 3;
    const end = this.#filterEnd(from);
    const written = this.#text.slice(from, end);
    if (this.#text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.#at = end + 2;
    const comparison = comparisonOf(written);
    this.#nodes.push(
      comparison === undefined
        ? { type: 'filter', left: this.#inner(written), operator: 'exists', right: [] }
        : {
            type: 'filter',
            left: this.#inner(comparison.left),
            operator: comparison.operator,
            right: this.#inner(comparison.right),
          },
    );
  }

  /** The position of the parenthesis that ends a filter: outside the first quoted string. */
  #filterEnd(from: number): number {
    let quote: string | undefined;
    let closed = false;
    for (let at = from; at < this.#text.length && this.#text[at] !== '\n'; at += 1) {
      const character = this.#text[at]!;
      if (character === ')' && (quote === undefined || closed)) return at;
      if (character !== '"' && character !== "'") continue;
      if (quote === undefined) quote = character;
      else if (character === quote && this.#text[at - 1] !== '\\') closed = true;
    }
    throw new JsonPathError('unterminated filter');
  }
}

/** Splits `left operator right`; undefined if the text is not a comparison. */
function comparisonOf(text: string): { left: string; operator: string; right: string } | undefined {
  let at = 0;
  while (at < text.length && !OPERATORS.has(text[at]!)) at += 1;
  let end = at;
  while (end < text.length && OPERATORS.has(text[end]!)) end += 1;
  // The right operand is not empty: at the end of the text it is the last character of the operator.
  if (end === text.length) end -= 1;
  return at === 0 || end <= at
    ? undefined
    : { left: text.slice(0, at), operator: text.slice(at, end), right: text.slice(end) };
}

function sliceOf(text: string): Slice {
  const match = SLICE.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', second, third] = match;
  const start = boundOf(first);
  return {
    start,
    end: second === undefined ? (start ?? 0) + 1 : boundOf(second.slice(1)),
    single: second === undefined,
    step: boundOf((third ?? ':').slice(1)),
  };
}

function boundOf(text: string): number | undefined {
  if (text === '') return undefined;
  if (text === '-') throw new JsonPathError('array index - is not a number');
  return Number(text);
}
