import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { FieldSet } from './field-set.ts';
import { isUnknownElement, type PathElement, parseElement } from './path-element.ts';
import { SharedNodes } from './shared-nodes.ts';

/** Maximum depth of a set, that of the objects. */
const MAXIMUM_DEPTH = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A node whose end has not been read. */
interface OpenNode {
  /** Its element in the node around it. */
  readonly element: PathElement;
  member: boolean;
  children: Map<PathElement, FieldSet> | undefined;
}

/** The text is not a set. */
class MalformedError extends SyntaxError {}

/**
 * Reads the JSON of a set without making objects of it: each of very many items is one. A node without children,
 * or null, is a leaf; elements of unknown types are left out. Undefined when the text is no set.
 */
export function* readFieldsV1(text: string): Steps<FieldSet | undefined> {
  try {
    return yield* new Reader(text).read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A machine with a stack of its own: the text is read from its beginning to its end. */
class Reader {
  readonly #text: string;
  readonly #open: OpenNode[] = [];
  readonly #shared = new SharedNodes();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Steps<FieldSet> {
    const pace = new Pace(stepSizes.values);
    if (this.#startsNull()) return this.#end(FieldSet.empty);
    this.#enter('');
    for (;;) {
      const completed = this.#member();
      if (completed !== undefined) return this.#end(completed);
      if (pace.isPause()) yield;
    }
  }

  /** Nothing may follow the set. */
  #end(set: FieldSet): FieldSet {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw new MalformedError();
    return set;
  }

  /** Enters the node that begins here. */
  #enter(element: PathElement): void {
    if (this.#text.charCodeAt(this.#at) !== OPENING_BRACE || this.#open.length > MAXIMUM_DEPTH)
      throw new MalformedError();
    this.#at += 1;
    this.#open.push({ element, member: false, children: undefined });
  }

  /** Reads a member of the innermost node, or its end. Returns the set at the end of all. */
  #member(): FieldSet | undefined {
    const node = this.#open.at(-1)!;
    if (this.#next() === CLOSING_BRACE) return this.#close(node);
    const key = this.#key();
    if (this.#next() !== COLON) throw new MalformedError();
    this.#at += 1;
    this.#skipSpace();
    if (key === '.') node.member = true;
    if (key === '.' || isUnknownElement(key)) this.#skipValue();
    else if (this.#startsNull() || this.#startsEmpty()) add(node, elementOf(key), FieldSet.leaf);
    else {
      this.#enter(elementOf(key));
      return undefined;
    }
    this.#separator();
    return undefined;
  }

  /** Ends a node. Returns it when it is the outermost one. */
  #close(node: OpenNode): FieldSet | undefined {
    this.#at += 1;
    this.#open.pop();
    const around = this.#open.at(-1);
    const { children, element, member } = node;
    if (around === undefined) return children === undefined ? FieldSet.empty : new FieldSet(member, children);
    add(
      around,
      element,
      children === undefined ? FieldSet.leaf : this.#shared.of(new FieldSet(member, children)),
    );
    this.#separator();
    return undefined;
  }

  /** What follows a member: a comma and another one, or the end of the node. */
  #separator(): void {
    const unit = this.#next();
    if (unit === CLOSING_BRACE) return;
    if (unit !== COMMA) throw new MalformedError();
    this.#at += 1;
    if (this.#next() !== QUOTE) throw new MalformedError();
  }

  /** @throws SyntaxError */
  #key(): string {
    const start = this.#at;
    this.#skipString();
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #skipString(): void {
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw new MalformedError();
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const unit = this.#text.charCodeAt(at);
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) {
        this.#at = at + 1;
        return;
      }
    }
    throw new MalformedError();
  }

  /** Skips any value. @throws SyntaxError */
  #skipValue(): void {
    if (this.#startsEmpty()) return;
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; ) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === QUOTE) {
        this.#skipString();
        continue;
      }
      if (unit === OPENING_BRACE || unit === OPENING_BRACKET) depth += 1;
      else if (unit === CLOSING_BRACE || unit === CLOSING_BRACKET) {
        if (depth === 0) break;
        depth -= 1;
      } else if (unit === COMMA && depth === 0) break;
      this.#at += 1;
    }
    JSON.parse(this.#text.slice(start, this.#at));
  }

  #startsNull(): boolean {
    this.#skipSpace();
    return this.#skips('null');
  }

  #startsEmpty(): boolean {
    return this.#skips('{}');
  }

  #skips(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** The next character that is no white space; NaN at the end. */
  #next(): number {
    this.#skipSpace();
    return this.#text.charCodeAt(this.#at);
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

function add(node: OpenNode, element: PathElement, child: FieldSet): void {
  node.children ??= new Map();
  node.children.set(element, child);
}

/** @throws MalformedError */
function elementOf(key: string): PathElement {
  const element = parseElement(key);
  if (element === undefined) throw new MalformedError();
  return element;
}
