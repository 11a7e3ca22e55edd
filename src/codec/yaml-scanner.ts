import { stepSizes } from '../steps/sizes.ts';
import { MAXIMUM_DEPTH } from './yaml-aliases.ts';
import { isBreak, isSpace, type YamlReader } from './yaml-reader.ts';
import { readDirective, readTag } from './yaml-tag.ts';
import { plainEnd, type ReadText, readBlock, readPlain, readQuoted, readShortQuoted } from './yaml-text.ts';

/** Kinds of tokens. */
export const token = {
  streamEnd: 0,
  version: 1,
  tagDirective: 2,
  documentStart: 3,
  documentEnd: 4,
  blockSequence: 5,
  blockMapping: 6,
  blockEnd: 7,
  flowSequence: 8,
  flowSequenceEnd: 9,
  flowMapping: 10,
  flowMappingEnd: 11,
  blockEntry: 12,
  flowEntry: 13,
  key: 14,
  value: 15,
  alias: 16,
  anchor: 17,
  tag: 18,
  scalar: 19,
} as const;

/** A token of a document. */
export interface Token {
  readonly kind: number;
  /** Line of its beginning, from 0. */
  readonly line: number;
  /** Text of a scalar, name of an anchor or alias, handle of a tag, version. */
  readonly text: string;
  /** Suffix of a tag, prefix of a tag directive. */
  readonly suffix: string;
  /** Whether a scalar is plain. */
  readonly isPlain: boolean;
}

/** Maximum characters between the beginning of a key and its colon. */
const maximumKey = 1024;
/** Tokens that the parser looks at before it has an event. */
const LOOKAHEAD = 6;

const name = /[0-9A-Za-z_-]+/y;
/** Characters that may follow the name of an anchor: `?:,]}%@` and the grave accent. */
const afterName = new Set([0x3f, 0x3a, 0x2c, 0x5d, 0x7d, 0x25, 0x40, 0x60]);
/** Indicators that do not begin a plain text: `-?:,[]{}#&*!|>'"%@` and the grave accent. */
const indicators = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((character) => character.charCodeAt(0)));

/** What may turn out to be the key of a mapping when a colon follows. */
interface SimpleKey {
  isPossible: boolean;
  isRequired: boolean;
  /** Number of its first token in the document. */
  number: number;
  at: number;
  line: number;
  column: number;
}

/**
 * Splits a YAML document into tokens by the rules of YAML 1.1 as Go's parser has them. Keys are recognized when
 * their colon is found: the tokens for them are inserted before what they begin with.
 */
export class YamlScanner {
  private tokens: Token[] = [];
  private head = 0;
  /** Number of tokens that were taken. */
  private taken = 0;
  private indent = -1;
  private readonly indents: number[] = [];
  private flowLevel = 0;
  private allowsKey = true;
  private readonly keys: SimpleKey[] = [{ ...NO_KEY }];
  /** The possible keys by the numbers of their first tokens. */
  private readonly possible = new Map<number, SimpleKey>();
  private text: ReadText | undefined;
  private textStart = 0;
  private isTextPlain = false;
  private isAfterBreak = false;
  private isEnded = false;
  private error: unknown;
  /** Number of the first token that cannot be taken because of the error. */
  private readable = 0;

  constructor(private readonly reader: YamlReader) {}

  /** Reads some tokens. @returns whether the parser can take its next event, otherwise it must call again */
  read(): boolean {
    if (this.isEnded || this.error !== undefined) return true;
    for (let number = this.taken; number < this.taken + LOOKAHEAD; number++) {
      while (number - this.taken >= this.tokens.length - this.head || this.isPossibleKey(number)) {
        if (this.isEnded || this.error !== undefined) return true;
        try {
          if (!this.fetch()) return false;
        } catch (error) {
          this.fail(error, number);
        }
      }
    }
    return true;
  }

  /** The next token. @throws DecodeError */
  peek(): Token {
    const next = this.tokens[this.head];
    if (next === undefined || (this.error !== undefined && this.taken >= this.readable)) throw this.error;
    return next;
  }

  /** Takes the next token. */
  skip(): void {
    this.taken++;
    if (++this.head < 64) return;
    this.tokens.splice(0, this.head);
    this.head = 0;
  }

  /** Number of the next token that will be read. */
  private get nextNumber(): number {
    return this.taken + this.tokens.length - this.head;
  }

  private isPossibleKey(number: number): boolean {
    const key = this.possible.get(number);
    if (key === undefined) return false;
    try {
      return this.isValid(key);
    } catch (error) {
      this.fail(error, number);
      return true;
    }
  }

  /** Keeps an error until the parser has taken the tokens before it. */
  private fail(error: unknown, readable: number): void {
    this.error = error;
    this.readable = readable;
  }

  /** Adds the next tokens. @returns false if it has paused before them */
  private fetch(): boolean {
    const { reader } = this;
    if (this.text !== undefined) return this.continueText(this.text);
    if (!this.skipToToken()) return false;
    this.unroll(reader.column);
    const code = reader.code();
    if (code === 0) this.end();
    else if (reader.column === 0 && code === 0x25) this.directive();
    else if (reader.isAtDocumentMark()) this.documentMark(code);
    else return this.dispatch(code);
    return true;
  }

  private dispatch(code: number): boolean {
    const { reader } = this;
    const inFlow = this.flowLevel > 0;
    switch (code) {
      case 0x5b:
      case 0x7b:
        this.openFlow(code === 0x5b ? token.flowSequence : token.flowMapping);
        return true;
      case 0x5d:
      case 0x7d:
        this.closeFlow(code === 0x5d ? token.flowSequenceEnd : token.flowMappingEnd);
        return true;
      case 0x2c:
        this.forgetKey();
        this.allowsKey = true;
        this.indicator(token.flowEntry);
        return true;
      case 0x2a:
      case 0x26:
        this.anchor(code === 0x2a ? token.alias : token.anchor);
        return true;
      case 0x21:
        this.tag();
        return true;
      case 0x27:
      case 0x22:
        return this.quoted(code === 0x27);
      case 0x7c:
      case 0x3e:
        if (inFlow) break;
        this.forgetKey();
        this.allowsKey = true;
        return this.longText(readBlock(reader, code === 0x7c, this.indent));
      case 0x2d:
      case 0x3f:
      case 0x3a:
        if (!isSpace(reader.code(1)) && !(inFlow && code !== 0x2d)) break;
        if (code === 0x2d) this.entry();
        else if (code === 0x3f) this.explicitKey();
        else this.value();
        return true;
      default:
    }
    if (isSpace(code)) throw reader.error('found character that cannot start any token');
    if (!indicators.has(code) || (code === 0x2d && !isSpace(reader.code(1)))) return this.plain();
    if (!inFlow && (code === 0x3f || code === 0x3a)) return this.plain();
    throw reader.error('found character that cannot start any token');
  }

  private add(kind: number, line = this.reader.line, text = '', suffix = '', isPlain = false): void {
    this.tokens.push({ kind, line, text, suffix, isPlain });
  }

  /** Adds a token of one character. */
  private indicator(kind: number): void {
    this.add(kind);
    this.reader.at++;
  }

  private isValid(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    const { line, at, text } = this.reader;
    const isTooLong =
      at - key.at > maximumKey &&
      (at - key.at > 2 * maximumKey || [...text.slice(key.at, at)].length > maximumKey);
    if (key.line === line && !isTooLong) return true;
    this.forget(key);
    return false;
  }

  /** @throws DecodeError if it has to be a key */
  private forget(key: SimpleKey): void {
    if (!key.isPossible) return;
    if (key.isRequired) throw this.reader.error("could not find expected ':'");
    key.isPossible = false;
    this.possible.delete(key.number);
  }

  private forgetKey(): void {
    this.forget(this.keys[this.keys.length - 1]!);
  }

  /** Remembers that the next token may begin a key. */
  private saveKey(): void {
    if (!this.allowsKey) return;
    this.forgetKey();
    const { at, line, column } = this.reader;
    const key = this.keys[this.keys.length - 1]!;
    key.isPossible = true;
    key.isRequired = this.flowLevel === 0 && this.indent === column;
    key.number = this.nextNumber;
    key.at = at;
    key.line = line;
    key.column = column;
    this.possible.set(key.number, key);
  }

  /** Opens a block collection at a column that is deeper than the present ones. */
  private roll(column: number, kind: number, line: number, number?: number): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    if (this.indents.length > MAXIMUM_DEPTH)
      throw this.reader.error(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    if (number === undefined) this.add(kind, line);
    else this.insert(number, kind, line);
  }

  /**
   * Inserts a token before the one with a number. As in Go's parser a flow collection at the beginning of a line is
   * taken at its end, before a colon can make it a key: the token then follows.
   */
  private insert(number: number, kind: number, line: number): void {
    const inserted: Token = { kind, line, text: '', suffix: '', isPlain: false };
    if (this.possible.size === 0) this.tokens.push(inserted);
    else this.tokens.splice(this.head + number - this.taken, 0, inserted);
  }

  /** Closes block collections that are deeper than a column. */
  private unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.add(token.blockEnd);
      this.indent = this.indents.pop()!;
    }
  }

  private end(): void {
    if (this.reader.column !== 0) this.reader.beginLine();
    this.unroll(-1);
    this.forgetKey();
    this.add(token.streamEnd);
    this.isEnded = true;
  }

  private directive(): void {
    this.unroll(-1);
    this.forgetKey();
    this.allowsKey = false;
    const { line } = this.reader;
    const { handle, value } = readDirective(this.reader);
    if (handle === undefined) this.add(token.version, line, value);
    else this.add(token.tagDirective, line, handle, value);
  }

  private documentMark(code: number): void {
    this.unroll(-1);
    this.forgetKey();
    this.allowsKey = false;
    this.add(code === 0x2d ? token.documentStart : token.documentEnd);
    this.reader.at += 3;
  }

  private openFlow(kind: number): void {
    this.saveKey();
    this.keys.push({ ...NO_KEY, number: this.nextNumber });
    if (++this.flowLevel > MAXIMUM_DEPTH) throw this.reader.error(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.allowsKey = true;
    this.indicator(kind);
  }

  private closeFlow(kind: number): void {
    this.forgetKey();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      this.possible.delete(this.keys.pop()!.number);
    }
    this.allowsKey = false;
    this.indicator(kind);
  }

  private entry(): void {
    const { reader } = this;
    if (this.flowLevel === 0) {
      if (!this.allowsKey) throw reader.error('block sequence entries are not allowed in this context');
      this.roll(reader.column, token.blockSequence, reader.line);
    }
    this.forgetKey();
    this.allowsKey = true;
    this.indicator(token.blockEntry);
  }

  private explicitKey(): void {
    const { reader } = this;
    if (this.flowLevel === 0) {
      if (!this.allowsKey) throw reader.error('mapping keys are not allowed in this context');
      this.roll(reader.column, token.blockMapping, reader.line);
    }
    this.forgetKey();
    this.allowsKey = this.flowLevel === 0;
    this.indicator(token.key);
  }

  private value(): void {
    const { reader } = this;
    const key = this.keys[this.keys.length - 1]!;
    if (this.isValid(key)) {
      this.insert(key.number, token.key, key.line);
      this.roll(key.column, token.blockMapping, key.line, key.number);
      key.isPossible = false;
      this.possible.delete(key.number);
      this.allowsKey = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.allowsKey) throw reader.error('mapping values are not allowed in this context');
        this.roll(reader.column, token.blockMapping, reader.line);
      }
      this.allowsKey = this.flowLevel === 0;
    }
    this.indicator(token.value);
  }

  private anchor(kind: number): void {
    const { reader } = this;
    this.saveKey();
    this.allowsKey = false;
    const { line } = reader;
    reader.at++;
    const text = reader.take(name);
    if (text === '' || !(isSpace(reader.code()) || afterName.has(reader.code())))
      throw reader.error('did not find expected alphabetic or numeric character');
    this.add(kind, line, text);
  }

  private tag(): void {
    this.saveKey();
    this.allowsKey = false;
    const { line } = this.reader;
    const { handle, suffix } = readTag(this.reader);
    this.add(token.tag, line, handle, suffix);
  }

  private quoted(isSingle: boolean): boolean {
    this.saveKey();
    this.allowsKey = false;
    const { line } = this.reader;
    const short = readShortQuoted(this.reader, isSingle);
    if (short === undefined) return this.longText(readQuoted(this.reader, isSingle));
    this.add(token.scalar, line, short);
    return true;
  }

  private plain(): boolean {
    const { reader, indent } = this;
    this.saveKey();
    this.allowsKey = false;
    const inFlow = this.flowLevel > 0;
    const { line, at } = reader;
    const end = plainEnd(reader, inFlow);
    reader.at = end;
    reader.skipBlanks();
    if (isBreak(reader.code()) && this.continues(indent, inFlow)) {
      reader.at = at;
      this.isAfterBreak = false;
      const ended = (afterBreak: boolean) => {
        this.isAfterBreak = afterBreak;
      };
      return this.longText(readPlain(reader, inFlow, indent + 1, ended), true);
    }
    this.add(token.scalar, line, reader.text.slice(at, end), '', true);
    if (isBreak(reader.code())) {
      reader.skipBreak();
      reader.skipBlanks();
      this.allowsKey = true;
    }
    return true;
  }

  /** Whether a plain text may continue on the next line: whether that is empty, or indented deeply enough. */
  private continues(indent: number, inFlow: boolean): boolean {
    if (inFlow) return true;
    const { text } = this.reader;
    let at = this.reader.at + 1;
    if (text.charCodeAt(at - 1) === 0x0d && text.charCodeAt(at) === 0x0a) at++;
    const from = at;
    while (text.charCodeAt(at) === 0x20 && at - from <= indent) at++;
    const code = text.charCodeAt(at);
    return at - from > indent || code === 0x09 || isBreak(code);
  }

  /** Begins a text that may be long. */
  private longText(text: ReadText, isPlain = false): boolean {
    this.text = text;
    this.textStart = this.reader.line;
    this.isTextPlain = isPlain;
    return this.continueText(text);
  }
  private continueText(text: ReadText): boolean {
    const step = text.next();
    if (step.done !== true) return false;
    this.text = undefined;
    this.add(token.scalar, this.textStart, step.value, '', this.isTextPlain);
    if (this.isTextPlain && this.isAfterBreak) this.allowsKey = true;
    return true;
  }

  /** Skips blanks, comments and line breaks. @returns false if it has paused */
  private skipToToken(): boolean {
    const { reader } = this;
    const { nodes } = stepSizes;
    for (let lines = 0; lines < nodes; lines++) {
      for (let code = reader.code(); ; code = reader.code()) {
        if (code !== 0x20 && !(code === 0x09 && (this.flowLevel > 0 || !this.allowsKey))) break;
        reader.at++;
      }
      if (reader.code() === 0x23) reader.skipToLineEnd();
      if (!isBreak(reader.code())) return true;
      reader.skipBreak();
      if (this.flowLevel === 0) this.allowsKey = true;
    }
    return false;
  }
}

const NO_KEY: Readonly<SimpleKey> = {
  isPossible: false,
  isRequired: false,
  number: 0,
  at: 0,
  line: 0,
  column: 0,
};
