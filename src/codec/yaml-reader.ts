import { DecodeError } from './decode-error.ts';

/** What Go's YAML 1.1 parser refuses in a document. */
const notAllowed = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd]|[\ud800-\udfff]/;
const notAllowedWithPairs = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u;
const toLineEnd = /[^\r\n\x85\u2028\u2029\0]*/y;

/** A position in the text of a YAML document. The text ends with a zero character. */
export class YamlReader {
  /** Index of the next character. */
  at = 0;
  /** Index of the line, from 0. */
  line = 0;
  private lineStart = 0;
  readonly text: string;

  /** @throws DecodeError for control characters */
  constructor(text: string) {
    if (notAllowed.test(text) && notAllowedWithPairs.test(text))
      throw new DecodeError('yaml: control characters are not allowed');
    this.text = `${text}\0`;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** The code of the next character, or of one after it; 0 at the end. */
  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Skips one line break, which may have two characters. @returns what it means in a text */
  skipBreak(): string {
    const code = this.text.charCodeAt(this.at++);
    if (code === 0x0d && this.text.charCodeAt(this.at) === 0x0a) this.at++;
    this.beginLine();
    return code === 0x2028 ? '\u2028' : code === 0x2029 ? '\u2029' : '\n';
  }

  /** Makes the present position the beginning of a line. */
  beginLine(): void {
    this.line++;
    this.lineStart = this.at;
  }

  skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Skips everything before the next line break. */
  skipToLineEnd(): void {
    toLineEnd.lastIndex = this.at;
    toLineEnd.test(this.text);
    this.at = toLineEnd.lastIndex;
  }

  /** Skips what matches. @param pattern sticky @returns the skipped text */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [text] = pattern.exec(this.text) ?? [''];
    this.at += text.length;
    return text;
  }

  /** Whether `---` or `...` stands here, alone on its line or before a space. */
  isAtDocumentMark(): boolean {
    const code = this.code();
    return (
      this.column === 0 &&
      (code === 0x2d || code === 0x2e) &&
      this.code(1) === code &&
      this.code(2) === code &&
      isSpace(this.code(3))
    );
  }

  /** An error of the syntax, at this position. */
  error(problem: string): DecodeError {
    return syntaxError(problem, this.line === 0 ? 0 : this.line + 1);
  }
}

/** @param line in the words of Go's parser, which names no line for 0 */
export const syntaxError = (problem: string, line: number): DecodeError =>
  new DecodeError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);

/** A space or a tab. */
export const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** A line break of YAML 1.1. */
export const isBreak = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;

/** A space, a tab, a line break or the end. */
export const isSpace = (code: number): boolean => code === 0 || isBlank(code) || isBreak(code);
