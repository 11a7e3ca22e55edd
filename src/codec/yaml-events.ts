import type { DecodeError } from './decode-error.ts';
import { syntaxError, type YamlReader } from './yaml-reader.ts';
import { YamlScanner } from './yaml-scanner.ts';
import { type Token, token } from './yaml-tokens.ts';

/** Kinds of events. */
export const event = {
  /** The reader has paused before the next event. */
  none: 0,
  documentEnd: 1,
  streamEnd: 2,
  scalar: 3,
  alias: 4,
  sequence: 5,
  mapping: 6,
  /** The end of a sequence or mapping. */
  end: 7,
} as const;

/** What the parser expects next. */
const state = {
  documentStart: 0,
  directives: 1,
  documentContent: 2,
  documentEnd: 3,
  blockNode: 4,
  firstBlockItem: 5,
  blockItem: 6,
  indentlessItem: 7,
  firstBlockKey: 8,
  blockKey: 9,
  blockValue: 10,
  firstFlowItem: 11,
  flowItem: 12,
  pairKey: 13,
  pairValue: 14,
  pairEnd: 15,
  firstFlowKey: 16,
  flowKey: 17,
  flowValue: 18,
  emptyFlowValue: 19,
} as const;

const standardTag = 'tag:yaml.org,2002:';

/** The events of the first document of a YAML text, one at a time: each is in the members until the next one. */
export class YamlEvents {
  /** Name of the anchor, or of the anchor that an alias names; empty for none. */
  anchor = '';
  /** Tag in its long form; empty for none. */
  tag = '';
  /** Text of a scalar. */
  text = '';
  /** Whether a scalar is plain and has no tag. */
  isPlain = false;
  /** Line of the beginning, from 0. */
  line = 0;
  private readonly scanner: YamlScanner;
  private state: number = state.documentStart;
  private readonly states: number[] = [];
  private readonly handles = new Map<string, string>();
  private version: string | undefined;

  constructor(reader: YamlReader) {
    this.scanner = new YamlScanner(reader);
  }

  /** Reads the next event. @throws DecodeError */
  next(): number {
    if (!this.scanner.read()) return event.none;
    switch (this.state) {
      case state.documentStart:
        return this.documentStart();
      case state.directives:
        return this.directives();
      case state.documentContent:
        return this.documentContent();
      case state.documentEnd:
        this.scanner.peek();
        return event.documentEnd;
      case state.blockNode:
        return this.node(true, false);
      case state.firstBlockItem:
        this.scanner.skip();
        return this.blockItem();
      case state.blockItem:
        return this.blockItem();
      case state.indentlessItem:
        return this.indentlessItem();
      case state.firstBlockKey:
        this.scanner.skip();
        return this.blockKey();
      case state.blockKey:
        return this.blockKey();
      case state.blockValue:
        return this.blockValue();
      case state.firstFlowItem:
        this.scanner.skip();
        return this.flowItem(true);
      case state.flowItem:
        return this.flowItem(false);
      case state.pairKey:
        return this.pairKey();
      case state.pairValue:
        return this.pairValue();
      case state.pairEnd:
        this.state = state.flowItem;
        return event.end;
      case state.firstFlowKey:
        this.scanner.skip();
        return this.flowKey(true);
      case state.flowKey:
        return this.flowKey(false);
      case state.flowValue:
        return this.flowValue();
      default:
        return this.empty(state.flowKey, this.scanner.peek());
    }
  }

  private documentStart(): number {
    const { kind } = this.scanner.peek();
    if (kind === token.streamEnd) return event.streamEnd;
    const isExplicit = kind === token.version || kind === token.tagDirective || kind === token.documentStart;
    if (isExplicit) {
      this.state = state.directives;
      return event.none;
    }
    this.defaultHandles();
    this.states.push(state.documentEnd);
    this.state = state.blockNode;
    return event.none;
  }

  private defaultHandles(): void {
    if (!this.handles.has('!')) this.handles.set('!', '!');
    if (!this.handles.has('!!')) this.handles.set('!!', standardTag);
  }

  /** Reads one directive, or the beginning of the document. */
  private directives(): number {
    const next = this.scanner.peek();
    if (next.kind === token.version) {
      if (this.version !== undefined) throw parserError('found duplicate %YAML directive', next);
      if (next.text !== '1.1') throw parserError('found incompatible YAML document', next);
      this.version = next.text;
    } else if (next.kind === token.tagDirective) {
      if (this.handles.has(next.text)) throw parserError('found duplicate %TAG directive', next);
      this.handles.set(next.text, next.suffix);
    } else if (next.kind === token.documentStart) {
      this.defaultHandles();
      this.states.push(state.documentEnd);
      this.state = state.documentContent;
    } else throw parserError('did not find expected <document start>', next);
    this.scanner.skip();
    return event.none;
  }

  private documentContent(): number {
    const next = this.scanner.peek();
    const { kind } = next;
    if (kind <= token.documentEnd) return this.empty(this.states.pop()!, next);
    return this.node(true, false);
  }

  /** An empty plain scalar, after which the parser is in a state. */
  private empty(then: number, { line }: Token): number {
    this.state = then;
    this.anchor = '';
    this.tag = '';
    this.text = '';
    this.isPlain = true;
    this.line = line;
    return event.scalar;
  }

  /** The node of which the parser is in a state afterwards. */
  private nodeThen(then: number, isBlock: boolean, allowsIndentless = false): number {
    this.states.push(then);
    return this.node(isBlock, allowsIndentless);
  }

  private node(isBlock: boolean, allowsIndentless: boolean): number {
    const first = this.scanner.peek();
    this.line = first.line;
    this.tag = '';
    this.anchor = '';
    if (first.kind === token.alias) {
      this.anchor = first.text;
      return this.leaf(event.alias);
    }
    const next = this.properties(first);
    const { kind } = next;
    if (allowsIndentless && kind === token.blockEntry) return this.open(state.indentlessItem, event.sequence);
    if (kind === token.scalar) {
      this.text = next.text;
      this.isPlain = (next.isPlain && this.tag === '') || this.tag === '!';
      return this.leaf(event.scalar);
    }
    if (kind === token.flowSequence) return this.open(state.firstFlowItem, event.sequence);
    if (kind === token.flowMapping) return this.open(state.firstFlowKey, event.mapping);
    if (isBlock && kind === token.blockSequence) return this.open(state.firstBlockItem, event.sequence);
    if (isBlock && kind === token.blockMapping) return this.open(state.firstBlockKey, event.mapping);
    if (this.anchor === '' && this.tag === '') throw parserError('did not find expected node content', next);
    this.state = this.states.pop()!;
    this.text = '';
    this.isPlain = this.tag === '';
    return event.scalar;
  }

  private open(then: number, kind: number): number {
    this.state = then;
    return kind;
  }

  private leaf(kind: number): number {
    this.scanner.skip();
    this.state = this.states.pop()!;
    return kind;
  }

  /** Reads an anchor and a tag, in any order. @returns the token after them */
  private properties(first: Token): Token {
    let next = first;
    if (next.kind === token.anchor) {
      this.anchor = next.text;
      next = this.following();
    }
    if (next.kind !== token.tag) return next;
    this.tag = this.longTag(next);
    next = this.following();
    if (next.kind !== token.anchor || this.anchor !== '') return next;
    this.anchor = next.text;
    return this.following();
  }

  private following(): Token {
    this.scanner.skip();
    return this.scanner.peek();
  }

  private longTag(tag: Token): string {
    if (tag.text === '') return tag.suffix;
    const prefix = this.handles.get(tag.text);
    if (prefix === undefined) throw parserError('found undefined tag handle', tag);
    return prefix + tag.suffix;
  }

  private end(): number {
    this.state = this.states.pop()!;
    return event.end;
  }

  private blockItem(): number {
    const entry = this.scanner.peek();
    if (entry.kind === token.blockEnd) {
      this.scanner.skip();
      return this.end();
    }
    if (entry.kind !== token.blockEntry) throw parserError("did not find expected '-' indicator", entry);
    const { kind } = this.following();
    if (kind === token.blockEntry || kind === token.blockEnd) return this.empty(state.blockItem, entry);
    return this.nodeThen(state.blockItem, true);
  }

  private indentlessItem(): number {
    const entry = this.scanner.peek();
    if (entry.kind !== token.blockEntry) return this.end();
    const { kind } = this.following();
    if (kind === token.blockEntry || isKeyEnd(kind)) return this.empty(state.indentlessItem, entry);
    return this.nodeThen(state.indentlessItem, true);
  }

  private blockKey(): number {
    const key = this.scanner.peek();
    if (key.kind === token.blockEnd) {
      this.scanner.skip();
      return this.end();
    }
    if (key.kind !== token.key) throw parserError('did not find expected key', key);
    if (isKeyEnd(this.following().kind)) return this.empty(state.blockValue, key);
    return this.nodeThen(state.blockValue, true, true);
  }

  private blockValue(): number {
    const value = this.scanner.peek();
    if (value.kind !== token.value) return this.empty(state.blockKey, value);
    if (isKeyEnd(this.following().kind)) return this.empty(state.blockKey, value);
    return this.nodeThen(state.blockKey, true, true);
  }

  private flowItem(isFirst: boolean): number {
    let next = this.scanner.peek();
    if (next.kind !== token.flowSequenceEnd && !isFirst) {
      if (next.kind !== token.flowEntry) throw parserError("did not find expected ',' or ']'", next);
      next = this.following();
    }
    if (next.kind === token.flowSequenceEnd) {
      this.scanner.skip();
      return this.end();
    }
    if (next.kind !== token.key) return this.nodeThen(state.flowItem, false);
    this.scanner.skip();
    this.state = state.pairKey;
    this.line = next.line;
    this.anchor = '';
    this.tag = '';
    return event.mapping;
  }

  /** The key of a mapping with one member that is an item of a flow sequence. */
  private pairKey(): number {
    const next = this.scanner.peek();
    if (next.kind !== token.value && next.kind !== token.flowEntry && next.kind !== token.flowSequenceEnd)
      return this.nodeThen(state.pairValue, false);
    this.scanner.skip();
    return this.empty(state.pairValue, next);
  }

  private pairValue(): number {
    let next = this.scanner.peek();
    if (next.kind === token.value) {
      next = this.following();
      if (next.kind !== token.flowEntry && next.kind !== token.flowSequenceEnd)
        return this.nodeThen(state.pairEnd, false);
    }
    return this.empty(state.pairEnd, next);
  }

  private flowKey(isFirst: boolean): number {
    let next = this.scanner.peek();
    if (next.kind !== token.flowMappingEnd && !isFirst) {
      if (next.kind !== token.flowEntry) throw parserError("did not find expected ',' or '}'", next);
      next = this.following();
    }
    if (next.kind === token.flowMappingEnd) {
      this.scanner.skip();
      return this.end();
    }
    if (next.kind !== token.key) return this.nodeThen(state.emptyFlowValue, false);
    next = this.following();
    if (next.kind === token.value || isFlowEnd(next.kind)) return this.empty(state.flowValue, next);
    return this.nodeThen(state.flowValue, false);
  }

  private flowValue(): number {
    let next = this.scanner.peek();
    if (next.kind === token.value) {
      next = this.following();
      if (!isFlowEnd(next.kind)) return this.nodeThen(state.flowKey, false);
    }
    return this.empty(state.flowKey, next);
  }
}

const isKeyEnd = (kind: number): boolean =>
  kind === token.key || kind === token.value || kind === token.blockEnd;

const isFlowEnd = (kind: number): boolean => kind === token.flowEntry || kind === token.flowMappingEnd;

/** An error of the parser, which names the line before that of the token, as Go's does. */
const parserError = (problem: string, { line }: Token): DecodeError => syntaxError(problem, line);
