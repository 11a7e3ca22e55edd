import { setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { runNow } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import type { ParsedDocument } from './json-parse.ts';
import { compareUtf16 } from './json-string.ts';
import { isLight, LIGHT_WEIGHT } from './parts.ts';
import { type Anchored, type Cost, copyValue, MAXIMUM_DEPTH, WorkCount } from './yaml-aliases.ts';
import { parseYamlAsJson } from './yaml-as-json.ts';
import { event, YamlEvents } from './yaml-events.ts';
import { YamlReader } from './yaml-reader.ts';
import { jsonValue, keyName, quotedKey, scalarOf } from './yaml-value.ts';

/** Maximum messages about duplicate keys. */
const MAXIMUM_DUPLICATES = 100;

/**
 * Parses the first document of a YAML 1.1 text into plain data like kube-apiserver's conversion to JSON: `on`
 * and `yes` are booleans, integers are exact, keys become strings and are sorted, the last of duplicate keys
 * is used. `duplicates` has one message for each (`line 7: key "a" already set in map`).
 * @throws DecodeError on syntax errors, excessive aliases and values that JSON does not have
 */
export function parseYaml(bytes: Uint8Array): ParsedDocument {
  return runNow(parseYamlAsJson(bytes)) ?? runNow(parsingYaml(bytes));
}

/**
 * {@link parseYaml} in steps of some milliseconds, for documents that are not JSON.
 * @throws DecodeError, TooManyPartsError for a document with more parts than the limit
 */
export function* parsingYaml(bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): Steps<ParsedDocument> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const reader = new YamlReader(source.startsWith('\ufeff') ? source.slice(1) : source);
  return yield* new TreeBuilder(new YamlEvents(reader), limit).build();
}

/** A container whose end has not been read. */
interface Frame {
  /** Items of a sequence; undefined for a mapping. */
  readonly items: unknown[] | undefined;
  readonly members: Map<string, unknown> | undefined;
  /** Lines of the members' values, where they may be merged into another mapping. */
  readonly lines: Map<string, number> | undefined;
  readonly anchor: string;
  /** Line of its beginning, from 0. */
  readonly line: number;
  /** What had been counted before it. */
  readonly before: Cost;
  height: number;
  /** Whether a mapping's key has been read, and its value is next. */
  hasKey: boolean;
  /** The key; undefined after an error. */
  key: unknown;
  isMerge: boolean;
}

/** A container with an anchor. Scalars, of which a document can have very many, are kept alone. */
class AnchoredContainer implements Anchored {
  readonly values: number;
  readonly parts: number;
  readonly characters: number;

  constructor(
    readonly value: object,
    readonly height: number,
    { values, parts, characters }: Cost,
  ) {
    this.values = values;
    this.parts = parts;
    this.characters = characters;
  }
}

const charactersOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

const anchoredOf = (kept: unknown): Anchored =>
  kept instanceof AnchoredContainer
    ? kept
    : { value: kept, height: 0, values: 1, parts: 0, characters: charactersOf(kept) };

/** Builds plain data of the events of a document. It is not recursive, so that depth uses no stack. */
class TreeBuilder {
  private readonly frames: Frame[] = [];
  /** Scalars, and containers with their costs. */
  private readonly anchors = new Map<string, unknown>();
  private readonly open = new Set<string>();
  private readonly duplicates: string[] = [];
  private readonly work: WorkCount;
  private readonly linesOf = new WeakMap<object, ReadonlyMap<string, number>>();
  /** The first error of a value. Errors of the syntax, also later ones, come first. */
  private problem: DecodeError | undefined;
  private root: unknown = null;

  constructor(
    private readonly events: YamlEvents,
    limit: number,
  ) {
    this.work = new WorkCount(limit);
  }

  *build(): Steps<ParsedDocument> {
    const { work } = this;
    const { nodes, values } = stepSizes;
    let paused = 0;
    for (let count = 1; ; count++) {
      const kind = this.events.next();
      if (kind === event.documentEnd || kind === event.streamEnd) break;
      if (kind !== event.none) yield* this.take(kind);
      if (kind !== event.none && count % nodes !== 0 && work.parts - paused < values) continue;
      paused = work.parts;
      yield;
    }
    if (this.problem !== undefined) throw this.problem;
    return { value: this.root, duplicates: this.duplicates, parts: this.work.parts };
  }

  private *take(kind: number): Steps<void> {
    switch (kind) {
      case event.scalar:
        this.scalar();
        return;
      case event.alias:
        return yield* this.alias();
      case event.end:
        return yield* this.close();
      default:
        this.begin(kind === event.sequence);
    }
  }

  /** Runs what may find an error of a value. */
  private attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.report(error);
      return undefined;
    }
  }

  /** Keeps the error of a value: Go decodes all values before it converts them, and writes them last. */
  private report(error: DecodeError): void {
    if (this.problem === undefined || stageOf(error) < stageOf(this.problem)) this.problem = error;
  }

  private scalar(): void {
    const { events, work } = this;
    const frame = this.frames[this.frames.length - 1];
    const scalar = this.attempt(() => scalarOf(events));
    const isKey = frame?.members !== undefined && !frame.hasKey;
    if (isKey && scalar?.tag === 'merge') {
      frame.hasKey = true;
      frame.isMerge = true;
      if (events.anchor !== '') this.anchors.set(events.anchor, scalar.value);
      return;
    }
    const value =
      scalar === undefined ? undefined : isKey ? scalar.value : this.attempt(() => jsonValue(scalar));
    work.values++;
    work.characters += charactersOf(value);
    if (events.anchor !== '') this.anchors.set(events.anchor, value);
    this.add(value, events.line);
  }

  private *alias(): Steps<void> {
    const { anchor, line } = this.events;
    if (this.open.has(anchor)) {
      this.report(new DecodeError(`yaml: anchor '${anchor}' value contains itself`));
      this.add(undefined, line);
      return;
    }
    if (!this.anchors.has(anchor)) throw new DecodeError(`yaml: unknown anchor '${anchor}' referenced`);
    const anchored = anchoredOf(this.anchors.get(anchor));
    if (this.problem === undefined) this.attempt(() => this.work.addAlias(anchored, this.frames.length));
    if (this.problem !== undefined) {
      this.add(undefined, line);
      return;
    }
    const copy = yield* copyValue(anchored.value, (from, to) => {
      const lines = this.linesOf.get(from);
      if (lines !== undefined) this.linesOf.set(to, lines);
    });
    this.add(copy, line, anchored.height);
  }

  private begin(isSequence: boolean): void {
    if (this.frames.length >= MAXIMUM_DEPTH)
      throw new DecodeError(`yaml: exceeded max depth of ${MAXIMUM_DEPTH}`);
    const { anchor, line } = this.events;
    const { values, parts, characters } = this.work;
    this.work.values++;
    if (anchor !== '') {
      this.open.add(anchor);
      this.anchors.delete(anchor);
    }
    this.frames.push({
      items: isSequence ? [] : undefined,
      members: isSequence ? undefined : new Map(),
      lines: !isSequence && (anchor !== '' || this.isMerged()) ? new Map() : undefined,
      anchor,
      line,
      before: { values, parts, characters },
      height: 1,
      hasKey: false,
      key: undefined,
      isMerge: false,
    });
  }

  /** Whether a mapping that begins here, or is an item of a list that does, is merged into another one. */
  private isMerged(): boolean {
    const frame = this.frames[this.frames.length - 1];
    if (frame?.items === undefined) return frame?.isMerge === true;
    return this.frames[this.frames.length - 2]?.isMerge === true;
  }

  private *close(): Steps<void> {
    const { items, members, lines, anchor, before, height, line } = this.frames.pop()!;
    const value = items ?? (yield* mappingOf(members!));
    if (lines !== undefined) this.linesOf.set(value, lines);
    if (anchor !== '') {
      const { work } = this;
      this.open.delete(anchor);
      const anchored = new AnchoredContainer(value, height, {
        values: work.values - before.values,
        parts: work.parts - before.parts,
        characters: work.characters - before.characters,
      });
      this.anchors.set(anchor, anchored);
    }
    this.add(value, line, height);
  }

  /** Adds a value to what contains it. @param value undefined after an error */
  private add(value: unknown, line: number, height = 0): void {
    const frame = this.frames[this.frames.length - 1];
    if (frame === undefined) {
      this.root = value;
      return;
    }
    if (height >= frame.height) frame.height = height + 1;
    if (frame.items !== undefined) {
      const follows = frame.items.length > 0 && isLight(frame.items[frame.items.length - 1]);
      this.work.addParts(follows && isLight(value) ? LIGHT_WEIGHT : 1);
      frame.items.push(value);
    } else if (!frame.hasKey) {
      frame.hasKey = true;
      frame.key = value;
    } else this.member(frame, value, line);
  }

  private member(frame: Frame, value: unknown, line: number): void {
    frame.hasKey = false;
    if (frame.isMerge) {
      frame.isMerge = false;
      if (value !== undefined) this.attempt(() => this.merge(frame, value));
      return;
    }
    const { key } = frame;
    this.work.addParts(2);
    const name = key === undefined ? undefined : this.attempt(() => keyName(key, value ?? null));
    if (name === undefined) return;
    this.work.characters += name.length;
    this.set(frame, name, key, value, line);
  }

  private set({ members, lines }: Frame, name: string, key: unknown, value: unknown, line: number): void {
    if (members!.has(name) && this.duplicates.length < MAXIMUM_DUPLICATES)
      this.duplicates.push(`line ${line + 1}: key ${quotedKey(key)} already set in map`);
    members!.set(name, value);
    lines?.set(name, line);
  }

  /** `<<`: members of one mapping, or of several of which earlier ones win. */
  private merge(frame: Frame, merged: unknown): void {
    for (const source of Array.isArray(merged) ? merged.toReversed() : [merged]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source))
        throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
      const lines = this.linesOf.get(source);
      for (const name of lines?.keys() ?? Object.keys(source))
        this.set(
          frame,
          name,
          name,
          (source as Record<string, unknown>)[name],
          lines?.get(name) ?? frame.line,
        );
    }
  }
}

/** The stage in which Go finds an error: decoding, conversion, writing. */
const stageOf = ({ message }: DecodeError): number =>
  message.startsWith('yaml:') ? 0 : message.startsWith('json:') ? 2 : 1;

/** An object with sorted members. */
function* mappingOf(members: ReadonlyMap<string, unknown>): Steps<object> {
  const mapping = {};
  const names = [...members.keys()];
  if (members.size < stepSizes.nodes) {
    for (const name of names.sort()) setMember(mapping, name, members.get(name));
    return mapping;
  }
  const pace = new Pace();
  for (const name of yield* sortInSteps(names, compareUtf16)) {
    if (pace.isPause()) yield;
    setMember(mapping, name, members.get(name));
  }
  return mapping;
}
