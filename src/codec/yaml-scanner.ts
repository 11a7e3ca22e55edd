import { stepSizes } from '../steps/sizes.ts';
import { MAXIMUM_DEPTH } from './yaml-aliases.ts';
import { isBreak, isSpace, type YamlReader } from './yaml-reader.ts';
import { SimpleKeys } from './yaml-simple-keys.ts';
import { readDirective, readTag } from './yaml-tag.ts';
import { plainEnd, type ReadText, readBlock, readPlain, readQuoted, readShortQuoted } from './yaml-text.ts';
import { type Token, TokenQueue, token } from './yaml-tokens.ts';

/** Tokens that the parser looks at before it has an event. */
const LOOKAHEAD = 6;

const name = /[0-9A-Za-z_-]+/y;
/** Characters that may follow the name of an anchor: `?:,]}%@` and the grave accent. */
const afterName = new Set([0x3f, 0x3a, 0x2c, 0x5d, 0x7d, 0x25, 0x40, 0x60]);
/** Indicators that do not begin a plain text: `-?:,[]{}#&*!|>'"%@` and the grave accent. */
const indicators = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((character) => character.charCodeAt(0)));

/**
 * Splits a YAML document into tokens by the rules of YAML 1.1 as Go's parser has them. Keys are recognized when
 * their colon is found: the tokens for them are inserted before what they begin with.
 */
export class YamlScanner {
  private readonly tokens = new TokenQueue();
  private indent = -1;
  private readonly indents: number[] = [];
  private flowLevel = 0;
  private allowsKey = true;
  private readonly keys: SimpleKeys;
  private text: ReadText | undefined;
  private textStart = 0;
  private isTextPlain = false;
  private isAfterBreak = false;
  private isEnded = false;
  private error: unknown;
  /** Number of the first token that cannot be taken because of the error. */
  private readable = 0;

  constructor(private readonly reader: YamlReader) {
    this.keys = new SimpleKeys(reader);
  }

  /** Reads some tokens. @returns whether the parser can take its next event, otherwise it must call again */
  read(): boolean {
    if (this.isEnded || this.error !== undefined) return true;
    const { taken } = this.tokens;
    for (let number = taken; number < taken + LOOKAHEAD; number++) {
      try {
        while (number >= this.tokens.next || this.keys.isPossible(number)) {
          if (this.isEnded) return true;
          if (!this.fetch()) return false;
        }
      } catch (error) {
        this.error = error;
        this.readable = number;
        return true;
      }
    }
    return true;
  }

  /** The next token. @throws DecodeError */
  peek(): Token {
    const next = this.tokens.peek();
    if (next === undefined || (this.error !== undefined && this.tokens.taken >= this.readable))
      throw this.error;
    return next;
  }

  /** Takes the next token. */
  skip(): void {
    this.tokens.skip();
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
        this.keys.forgetCurrent();
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
        this.keys.forgetCurrent();
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
    this.tokens.add({ kind, line, text, suffix, isPlain });
  }

  /** Adds a token of one character. */
  private indicator(kind: number): void {
    this.add(kind);
    this.reader.at++;
  }

  /** Remembers that the next token may begin a key. */
  private saveKey(): void {
    const isRequired = this.flowLevel === 0 && this.indent === this.reader.column;
    if (this.allowsKey) this.keys.save(this.tokens.next, isRequired);
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
    if (this.keys.isEmpty) this.tokens.add(inserted);
    else this.tokens.insert(number, inserted);
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
    this.keys.forgetCurrent();
    this.add(token.streamEnd);
    this.isEnded = true;
  }

  private directive(): void {
    this.unroll(-1);
    this.keys.forgetCurrent();
    this.allowsKey = false;
    const { line } = this.reader;
    const { handle, value } = readDirective(this.reader);
    if (handle === undefined) this.add(token.version, line, value);
    else this.add(token.tagDirective, line, handle, value);
  }

  private documentMark(code: number): void {
    this.unroll(-1);
    this.keys.forgetCurrent();
    this.allowsKey = false;
    this.add(code === 0x2d ? token.documentStart : token.documentEnd);
    this.reader.at += 3;
  }

  private openFlow(kind: number): void {
    this.saveKey();
    this.keys.open(this.tokens.next);
    if (++this.flowLevel > MAXIMUM_DEPTH) throw this.reader.error(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.allowsKey = true;
    this.indicator(kind);
  }

  private closeFlow(kind: number): void {
    this.keys.forgetCurrent();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      this.keys.close();
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
    this.keys.forgetCurrent();
    this.allowsKey = true;
    this.indicator(token.blockEntry);
  }

  private explicitKey(): void {
    const { reader } = this;
    if (this.flowLevel === 0) {
      if (!this.allowsKey) throw reader.error('mapping keys are not allowed in this context');
      this.roll(reader.column, token.blockMapping, reader.line);
    }
    this.keys.forgetCurrent();
    this.allowsKey = this.flowLevel === 0;
    this.indicator(token.key);
  }

  private value(): void {
    const { reader } = this;
    const key = this.keys.current;
    if (this.keys.isValid(key)) {
      this.insert(key.number, token.key, key.line);
      this.roll(key.column, token.blockMapping, key.line, key.number);
      this.keys.take(key);
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
