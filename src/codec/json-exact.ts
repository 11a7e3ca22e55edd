import { isJsonObject } from '../model/json-object.ts';
import { getMember, setMember } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { ended, JsonReader } from './json-reader.ts';
import { maximumJsonDepth } from './json-scan.ts';
import { LiteralRecorder } from './number-literals.ts';

/** Result of the exact parser. */
export interface ExactJson {
  readonly value: unknown;
  /** Paths of duplicate members, in document order, each once. */
  readonly duplicates: string[];
}

interface Frame {
  readonly container: Record<string, unknown> | unknown[];
  readonly names: Set<string> | undefined;
  /** Path of the container, when a path inside it was asked for. */
  path: string | undefined;
  key: string;
}

/** A member that the parser has reached. */
export interface VisitedMember {
  readonly name: string;
  /** Number of containers around it. */
  readonly depth: number;
  /** Whether its object has an earlier member with that name. */
  readonly isDuplicate: boolean;
  /** The full path, which may be as long as the document. */
  path(): string;
}

/** Called for every member in document order; the argument is valid during the call. */
export type MemberVisitor = (member: VisitedMember) => void;

/** Maximum paths of duplicates, as in kube-apiserver, and roughly their characters in all. */
const MAXIMUM_DUPLICATES = 100;
const DUPLICATE_CHARACTERS = 1024 * 1024;

/**
 * The slow, exact JSON parser: keeps integers beyond 2^53 as bigint, records literals that numbers lose,
 * detects duplicate members, and decodes invalid UTF-8 and surrogates and reports syntax errors as Go does.
 * It is not recursive, so that depth uses no stack. In steps of some milliseconds.
 * @throws DecodeError unless the input is exactly one JSON value
 */
export const parseJsonExactly = (bytes: Uint8Array, options: ExactOptions = {}): Steps<ExactJson> =>
  new ExactParser(bytes, options).run();

/** How a document is parsed exactly. */
export interface ExactOptions {
  readonly visit?: MemberVisitor;
  /**
   * Whether the members of a duplicate object are added to the earlier object, as Go decodes both into one
   * struct. Other duplicate values replace the earlier value.
   */
  readonly merges?: boolean;
}

class ExactParser extends JsonReader implements VisitedMember {
  name = '';
  isDuplicate = false;
  private readonly stack: Frame[] = [];
  private readonly duplicates = new Set<string>();
  private readonly literals = new LiteralRecorder();
  private duplicateCharacters = 0;
  private root: unknown;

  private readonly visit: MemberVisitor | undefined;
  private readonly merges: boolean;

  constructor(bytes: Uint8Array, { visit, merges = false }: ExactOptions) {
    super(bytes);
    this.visit = visit;
    this.merges = merges;
  }

  *run(): Steps<ExactJson> {
    // Each iteration reads one value; a non-empty container pushes a frame and the next iteration reads its
    // first value.
    const { values: valuesAtOnce, bytes: bytesAtOnce } = stepSizes;
    let values = 0;
    let stepEnd = bytesAtOnce;
    for (;;) {
      values++;
      if (values >= valuesAtOnce || this.at > stepEnd) {
        yield;
        values = 0;
        stepEnd = this.at + bytesAtOnce;
      }
      const byte = this.need();
      const value = byte === 0x7b || byte === 0x5b ? this.open(byte) : this.scalar(byte);
      if (value === undefined || this.finish(value)) continue;
      this.space();
      if (this.at < this.bytes.length) throw this.unexpected('after top-level value');
      this.literals.attachTo(this.root);
      return { value: this.root, duplicates: [...this.duplicates] };
    }
  }

  /** Opens a container; returns it when it is empty, undefined when its first value is next. */
  private open(byte: number): object | undefined {
    if (this.stack.length >= maximumJsonDepth) throw this.unexpected('exceeded max depth');
    this.at++;
    if (byte === 0x5b) {
      if (this.need() === 0x5d) {
        this.at++;
        return [];
      }
      this.stack.push({ container: [], names: undefined, path: undefined, key: '0' });
      return undefined;
    }
    const container = this.repeated() ?? {};
    if (this.need('key') === 0x7d) {
      this.at++;
      return container;
    }
    const frame: Frame = { container, names: new Set(), path: undefined, key: '' };
    this.stack.push(frame);
    this.key(frame);
    return undefined;
  }

  /** When merging: the object that the next value repeats. */
  private repeated(): Record<string, unknown> | undefined {
    const frame = this.stack[this.stack.length - 1];
    if (!this.merges || frame?.names === undefined) return undefined;
    const earlier = getMember(frame.container, frame.key);
    return isJsonObject(earlier) ? earlier : undefined;
  }

  /** Adds a value to its container and closes containers that end here. True when another value follows. */
  private finish(finished: unknown): boolean {
    let value = finished;
    for (;;) {
      const frame = this.stack[this.stack.length - 1];
      if (frame === undefined) {
        this.root = value;
        return false;
      }
      this.store(frame, value);
      const list = frame.names === undefined;
      this.space();
      const byte = this.bytes[this.at];
      if (byte === undefined) throw ended();
      if (byte === 0x2c) {
        this.at++;
        if (list) frame.key = String((frame.container as unknown[]).length);
        else {
          this.need('key');
          this.key(frame);
        }
        this.need();
        return true;
      }
      if (byte !== (list ? 0x5d : 0x7d))
        throw this.unexpected(list ? 'after array element' : 'after object key:value pair');
      this.at++;
      this.stack.pop();
      value = frame.container;
    }
  }

  private store(frame: Frame, value: unknown): void {
    const { container, key } = frame;
    if (Array.isArray(container)) container.push(value);
    else setMember(container, key, value);
    if (this.literal !== undefined) {
      this.literals.add(container, key, this.literal);
      this.literal = undefined;
    } else if (frame.names) this.literals.remove(container, key);
  }

  private key(frame: Frame): void {
    if (this.bytes[this.at] !== 0x22) throw this.unexpected('looking for beginning of object key string');
    frame.key = this.string();
    this.space();
    if (this.at >= this.bytes.length) throw ended();
    if (this.bytes[this.at] !== 0x3a) throw this.unexpected('after object key');
    this.at++;
    const duplicate = frame.names!.has(frame.key);
    frame.names!.add(frame.key);
    if (duplicate) this.addDuplicate();
    if (this.visit !== undefined) {
      this.name = frame.key;
      this.isDuplicate = duplicate;
      this.visit(this);
    }
    this.need();
  }

  /** Paths of deep members are long: their number and length are bounded. */
  private addDuplicate(): void {
    if (this.duplicates.size >= MAXIMUM_DUPLICATES || this.duplicateCharacters > DUPLICATE_CHARACTERS) return;
    const path = this.path();
    this.duplicateCharacters += path.length;
    this.duplicates.add(path);
  }

  get depth(): number {
    return this.stack.length;
  }

  /** The path of the current member. Each container's path is created once. */
  path(): string {
    const { stack } = this;
    let known = stack.length - 1;
    while (known > 0 && stack[known]!.path === undefined) known--;
    for (let index = known + 1; index < stack.length; index++)
      stack[index]!.path = memberPath(stack[index - 1]!);
    return memberPath(stack[stack.length - 1]!);
  }
}

function memberPath({ names, path = '', key }: Frame): string {
  if (names === undefined) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
