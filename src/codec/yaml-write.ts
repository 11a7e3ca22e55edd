import { RawJson } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import { type PartSteps, pausing } from '../steps/steps.ts';
import { LazyList } from './lazy-list.ts';
import { naturallySorted } from './natural-order.ts';
import { resolvePlainScalar } from './yaml-scalar.ts';

const bestWidth = 80;
/** Keys of this length have at most 128 bytes. */
const SHORT_KEY = 42;
const word = /^[a-zA-Z_][a-zA-Z0-9_./-]*$/;
const baseSixty = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const unprintable = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/**
 * Writes plain data as block-style YAML, byte for byte like kube-apiserver: keys in natural order, two
 * spaces, lists not indented below their key, ambiguous strings quoted, long strings folded at 80 columns.
 * Ends with a line break.
 */
export function writeYaml(plain: unknown): string {
  return [...yamlParts(plain)].join('');
}

/**
 * The text of {@link writeYaml} in parts, each a few milliseconds of work. A {@link LazyList}
 * is read lazily.
 */
export function* yamlParts(plain: unknown): PartSteps<string> {
  const writer = new YamlWriter();
  yield* writer.node(plain, false);
  yield writer.finish();
}

/** State of the emitter: the current column determines the line breaks. */
class YamlWriter {
  private readonly charactersAtOnce = stepSizes.formatted;
  /** Containers and strings that are written at once, whatever their length. */
  private readonly nodesAtOnce = Math.ceil(stepSizes.formatted / 16);
  private text = '';
  private nodes = 0;
  private begun = false;
  private column = 0;
  private indent = -1;
  private whitespace = true;
  private indention = true;

  finish(): string {
    return this.column === 0 && (this.begun || this.text !== '') ? this.text : `${this.text}\n`;
  }

  /** @param inMapping whether it is the value of a mapping's key: lists are then not indented further */
  *node(value: unknown, inMapping: boolean): PartSteps<string> {
    if (this.scalar(value)) return;
    if (value instanceof RawJson) yield* this.node(value.parse(), inMapping);
    else if (Array.isArray(value) || value instanceof LazyList) yield* this.sequence(value, inMapping);
    else if (typeof value === 'object') yield* this.mapping(value!);
    else {
      const outer = this.enter();
      yield* this.styled(value as string, false);
      this.indent = outer;
    }
    if (this.isStep()) yield* this.pause();
  }

  /** Counts a node. @returns whether the text written since the last one is a step */
  private isStep(): boolean {
    return ++this.nodes >= this.nodesAtOnce || this.text.length >= this.charactersAtOnce;
  }

  /** Writes a value that is neither a container nor a long text. @returns whether it was one */
  private scalar(value: unknown): boolean {
    if (typeof value === 'string') {
      if (value.length > this.charactersAtOnce) return false;
      this.string(value, false);
    } else if (typeof value === 'object' && value !== null) return false;
    else
      this.indicator(typeof value === 'number' ? goNumber(value) : String(value ?? null), true, false, false);
    return true;
  }

  /** Yields the text written since the last pause, and pauses. */
  private *pause(): PartSteps<string> {
    const { text } = this;
    this.begun ||= text !== '';
    this.nodes = 0;
    this.text = '';
    if (text !== '') yield text;
    yield;
  }

  /** Increases the indentation. @returns the previous indentation */
  private enter(indentless = false): number {
    const outer = this.indent;
    if (outer < 0) this.indent = 0;
    else if (!indentless) this.indent += 2;
    return outer;
  }

  private *sequence(list: readonly unknown[] | LazyList, inMapping: boolean): PartSteps<string> {
    if (list.length === 0) {
      this.indicator('[]', true, false, false);
      return;
    }
    const outer = this.enter(inMapping && !this.indention);
    for (const item of list instanceof LazyList ? list.items : list) {
      if (item === undefined && list instanceof LazyList) {
        yield* this.pause();
        continue;
      }
      this.newLine();
      this.indicator('-', true, false, true);
      if (!this.scalar(item)) yield* this.node(item, false);
      else if (this.isStep()) yield* this.pause();
    }
    this.indent = outer;
  }

  private *mapping(value: object): PartSteps<string> {
    const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
    if (keys.length === 0) {
      this.indicator('{}', true, false, false);
      return;
    }
    const outer = this.enter();
    for (const key of yield* pausing(naturallySorted(keys))) {
      this.newLine();
      const simple =
        !key.includes('\n') &&
        (key.length <= SHORT_KEY || (key.length <= 128 && Buffer.byteLength(key) <= 128));
      if (!simple) this.indicator('?', true, false, true);
      if (simple || key.length <= this.charactersAtOnce) this.string(key, simple);
      else yield* this.node(key, false);
      if (!simple) this.newLine();
      this.indicator(':', !simple, false, !simple);
      const member = (value as Record<string, unknown>)[key];
      if (!this.scalar(member)) yield* this.node(member, true);
      else if (this.isStep()) yield* this.pause();
    }
    this.indent = outer;
  }

  /** Writes a short string in the simplest style that round-trips. A simple key must stay on one line. */
  private string(value: string, simpleKey: boolean): void {
    if (isWord(value)) {
      this.indicator(value, true, false, false);
      return;
    }
    const outer = this.enter();
    let written = '';
    for (const part of this.styled(value, simpleKey)) written += part ?? '';
    this.text = written + this.text;
    this.indent = outer;
  }

  private styled(value: string, simpleKey: boolean): PartSteps<string> {
    const style = stringStyle(value, simpleKey);
    if (style === 'literal') return this.literal(value);
    return style === 'double'
      ? this.doubleQuoted(value, !simpleKey)
      : this.foldable(value, style === 'single', !simpleKey);
  }

  private *foldable(value: string, quoted: boolean, allowBreaks: boolean): PartSteps<string> {
    if (quoted) this.indicator("'", true, false, false);
    else if (!this.whitespace) this.put(' ');
    this.whitespace = false;
    this.indention = false;
    for (let index = 0; index < value.length; index++) {
      const character = value[index]!;
      if (character === ' ' && this.mayFold(value, index, allowBreaks, quoted)) this.newLine();
      else this.put(character === "'" && quoted ? "''" : character);
      if (character !== ' ') this.indention = false;
      if (index % this.charactersAtOnce === this.charactersAtOnce - 1) yield* this.pause();
    }
    if (quoted) this.indicator("'", false, false, false);
    this.whitespace = false;
    this.indention = false;
  }

  private mayFold(value: string, index: number, allowBreaks: boolean, quoted: boolean): boolean {
    if (!allowBreaks || this.column <= bestWidth || value[index - 1] === ' ' || value[index + 1] === ' ')
      return false;
    return !quoted || (index > 0 && index < value.length - 1);
  }

  private *doubleQuoted(value: string, allowBreaks: boolean): PartSteps<string> {
    this.indicator('"', true, false, false);
    let spaces = false;
    let index = 0;
    let next = this.charactersAtOnce;
    for (const character of value) {
      if (character === ' ') {
        if (allowBreaks && !spaces && this.column > bestWidth && index > 0 && index < value.length - 1) {
          this.newLine();
          if (value[index + 1] === ' ') this.put('\\');
        } else this.put(character);
        spaces = true;
      } else {
        this.put(escapeCharacter(character));
        spaces = false;
      }
      index += character.length;
      if (index < next) continue;
      next += this.charactersAtOnce;
      yield* this.pause();
    }
    this.indicator('"', false, false, false);
  }

  private *literal(value: string): PartSteps<string> {
    this.indicator('|', true, false, false);
    if (value.startsWith(' ') || value.startsWith('\n')) this.put('2');
    if (!value.endsWith('\n')) this.put('-');
    else if (value === '\n' || value.endsWith('\n\n')) this.put('+');
    this.lineBreak();
    let from = 0;
    for (let lines = 1; ; lines++) {
      const end = value.indexOf('\n', from);
      if (end !== from && from < value.length) {
        this.newLine();
        this.put(end < 0 ? value.slice(from) : value.slice(from, end));
        this.indention = false;
        this.whitespace = false;
      }
      if (end < 0) return;
      this.lineBreak();
      from = end + 1;
      if (lines % this.nodesAtOnce === 0) yield* this.pause();
    }
  }

  private lineBreak(): void {
    this.text += '\n';
    this.column = 0;
    this.whitespace = true;
    this.indention = true;
  }

  /** Moves to the current indentation, on a new line if the current one has content. */
  private newLine(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace))
      this.lineBreak();
    if (this.column < indent) {
      this.text += ' '.repeat(indent - this.column);
      this.column = indent;
    }
    this.whitespace = true;
    this.indention = true;
  }

  private indicator(text: string, needsSpace: boolean, isSpace: boolean, keepsIndention: boolean): void {
    if (needsSpace && !this.whitespace) this.put(' ');
    this.put(text);
    this.whitespace = isSpace;
    this.indention &&= keepsIndention;
  }

  private put(text: string): void {
    this.text += text;
    this.column += text.length;
  }
}

/** Whether a text is plain in any place: most names are. */
const isWord = (value: string): boolean => word.test(value) && resolvePlainScalar(value).tag === 'str';

function stringStyle(value: string, simpleKey: boolean): 'plain' | 'single' | 'double' | 'literal' {
  const special = unprintable.test(value);
  const spaceBreak = value.includes(' \n');
  if (value.includes('\n'))
    return simpleKey || special || spaceBreak || value.endsWith(' ') ? 'double' : 'literal';
  const resolved = resolvePlainScalar(value).tag;
  if (special || baseSixty.test(value) || (resolved !== 'str' && resolved !== 'merge')) return 'double';
  return resolved === 'merge' ? 'double' : allowedPlain(value) ? 'plain' : 'single';
}

/** Whether a single-line string can be plain in block style. */
function allowedPlain(value: string): boolean {
  if (value.startsWith(' ') || value.endsWith(' ') || value.startsWith('---') || value.startsWith('...'))
    return false;
  return !/^[#,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|:(?: |$)| #/.test(value);
}

function escapeCharacter(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return short;
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0)!;
  const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(digits as number, '0')}`;
}

/**
 * Formats a number as Go does in its shortest form; whole numbers have been converted via JSON, which uses
 * exponents only from 1e+21.
 */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const [mantissa, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
