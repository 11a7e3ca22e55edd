import { RawJson } from '../model/object.ts';
import { resolvePlainScalar } from './yaml-scalar.ts';

const bestWidth = 80;
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
 * Plain data as block-style YAML, byte for byte as the reference prints it: keys in natural order, two spaces, lists not indented below their key,
 * texts that look like something else quoted, long texts folded at 80 columns. Ends with a line break.
 */
export function writeYaml(plain: unknown): string {
  const writer = new YamlWriter();
  writer.node(plain, false);
  return writer.finish();
}

/** The state of the reference's emitter: where the line stands decides where it breaks. */
class YamlWriter {
  private text = '';
  private column = 0;
  private indent = -1;
  private whitespace = true;
  private indention = true;

  finish(): string {
    return this.column === 0 && this.text !== '' ? this.text : `${this.text}\n`;
  }

  /** @param inMapping it is the value of a mapping's key: lists then stand below the key without further indentation */
  node(value: unknown, inMapping: boolean): void {
    if (value instanceof RawJson) this.node(value.parse(), inMapping);
    else if (Array.isArray(value)) this.sequence(value, inMapping);
    else if (typeof value === 'object' && value !== null) this.mapping(value);
    else if (typeof value === 'string') this.nested(() => this.string(value, false));
    else this.indicator(typeof value === 'number' ? goNumber(value) : String(value ?? null), true, false, false);
  }

  private nested(write: () => void, indentless = false): void {
    const outer = this.indent;
    if (outer < 0) this.indent = 0;
    else if (!indentless) this.indent += 2;
    write();
    this.indent = outer;
  }

  private sequence(items: readonly unknown[], inMapping: boolean): void {
    if (items.length === 0) {
      this.indicator('[]', true, false, false);
      return;
    }
    this.nested(() => {
      for (const item of items) {
        this.newLine();
        this.indicator('-', true, false, true);
        this.node(item, false);
      }
    }, inMapping && !this.indention);
  }

  private mapping(value: object): void {
    const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
    if (keys.length === 0) {
      this.indicator('{}', true, false, false);
      return;
    }
    this.nested(() => {
      for (const key of keys.sort(compareNaturally)) {
        this.newLine();
        const simple = !key.includes('\n') && Buffer.byteLength(key) <= 128;
        if (!simple) this.indicator('?', true, false, true);
        this.nested(() => this.string(key, simple));
        if (!simple) this.newLine();
        this.indicator(':', !simple, false, !simple);
        this.node((value as Record<string, unknown>)[key], true);
      }
    });
  }

  /** Writes a text in the simplest style that reads back as it. A simple key must stay on its line. */
  private string(value: string, simpleKey: boolean): void {
    const style = stringStyle(value, simpleKey);
    if (style === 'literal') this.literal(value);
    else if (style === 'double') this.doubleQuoted(value, !simpleKey);
    else this.foldable(value, style === 'single', !simpleKey);
  }

  private foldable(value: string, quoted: boolean, allowBreaks: boolean): void {
    if (quoted) this.indicator("'", true, false, false);
    else if (!this.whitespace) this.put(' ');
    this.whitespace = false;
    this.indention = false;
    const characters = [...value];
    characters.forEach((character, index) => {
      if (character === ' ' && this.mayFold(characters, index, allowBreaks, quoted)) this.newLine();
      else this.put(character === "'" && quoted ? "''" : character);
      if (character !== ' ') this.indention = false;
    });
    if (quoted) this.indicator("'", false, false, false);
    this.whitespace = false;
    this.indention = false;
  }

  private mayFold(characters: readonly string[], index: number, allowBreaks: boolean, quoted: boolean): boolean {
    if (!allowBreaks || this.column <= bestWidth || characters[index - 1] === ' ' || characters[index + 1] === ' ') return false;
    return !quoted || (index > 0 && index < characters.length - 1);
  }

  private doubleQuoted(value: string, allowBreaks: boolean): void {
    this.indicator('"', true, false, false);
    const characters = [...value];
    let spaces = false;
    characters.forEach((character, index) => {
      if (character === ' ') {
        if (allowBreaks && !spaces && this.column > bestWidth && index > 0 && index < characters.length - 1) {
          this.newLine();
          if (characters[index + 1] === ' ') this.put('\\');
        } else this.put(character);
        spaces = true;
      } else {
        this.put(escapeCharacter(character));
        spaces = false;
      }
    });
    this.indicator('"', false, false, false);
  }

  private literal(value: string): void {
    this.indicator('|', true, false, false);
    if (value.startsWith(' ') || value.startsWith('\n')) this.put('2');
    if (!value.endsWith('\n')) this.put('-');
    else if (value === '\n' || value.endsWith('\n\n')) this.put('+');
    this.lineBreak();
    const lines = value.split('\n');
    lines.forEach((line, index) => {
      if (line !== '') {
        this.newLine();
        this.put(line);
        this.indention = false;
        this.whitespace = false;
      }
      if (index < lines.length - 1) this.lineBreak();
    });
  }

  private lineBreak(): void {
    this.text += '\n';
    this.column = 0;
    this.whitespace = true;
    this.indention = true;
  }

  /** Goes to the current indentation, on a new line where the present one has content. */
  private newLine(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace)) this.lineBreak();
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

function stringStyle(value: string, simpleKey: boolean): 'plain' | 'single' | 'double' | 'literal' {
  const special = unprintable.test(value);
  const spaceBreak = value.includes(' \n');
  if (value.includes('\n')) return simpleKey || special || spaceBreak || value.endsWith(' ') ? 'double' : 'literal';
  const resolved = resolvePlainScalar(value).tag;
  if (special || baseSixty.test(value) || (resolved !== 'str' && resolved !== 'merge')) return 'double';
  return resolved === 'merge' ? 'double' : allowedPlain(value) ? 'plain' : 'single';
}

/** Whether a text of one line can stand in a block without quotes. */
function allowedPlain(value: string): boolean {
  if (value.startsWith(' ') || value.endsWith(' ') || value.startsWith('---') || value.startsWith('...')) return false;
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

/** A number as Go prints it in its shortest form; whole numbers have come through JSON, which has powers of ten from 1e+21 only. */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const [mantissa, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** The order of keys: punctuation and digits before letters, runs of digits by their number. */
function compareNaturally(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  for (let at = 0; at < a.length && at < b.length; at++) {
    const x = a[at]!;
    const y = b[at]!;
    if (x === y) continue;
    const letters = [letter.test(x), letter.test(y)];
    if (letters[0] && letters[1]) return x.codePointAt(0)! - y.codePointAt(0)!;
    if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
    return compareDigits(a, b, at) || x.codePointAt(0)! - y.codePointAt(0)!;
  }
  return a.length - b.length;
}

function compareDigits(a: readonly string[], b: readonly string[], at: number): number {
  let lead = '';
  if (a[at] === '0' || b[at] === '0') {
    for (let before = at - 1; before >= 0 && digit.test(a[before]!); before--) if (a[before] !== '0') lead = '1';
  }
  const x = digitsAt(a, at);
  const y = digitsAt(b, at);
  const left = BigInt(`${lead}${x}` || '0');
  const right = BigInt(`${lead}${y}` || '0');
  return left === right ? x.length - y.length : left < right ? -1 : 1;
}

function digitsAt(characters: readonly string[], at: number): string {
  let end = at;
  while (end < characters.length && /[0-9]/.test(characters[end]!)) end++;
  return characters.slice(at, end).join('');
}
