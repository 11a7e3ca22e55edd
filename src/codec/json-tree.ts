import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { jsonNumber, sortingKeys, sortKeys } from './json-string.ts';
import type { NumberLiterals } from './number-literals.ts';

/** How a tree is written as JSON. Undefined members are omitted, undefined items are null. */
export interface TreeForm {
  /** Whether a value has members or items. */
  isContainer(value: unknown): value is object;
  /** Whether the members of objects are sorted. */
  readonly isSorted: boolean;
  quote(text: string): string;
  /** Writes a value that is not a container. */
  scalar(value: unknown): string;
  /** Maximum depth; by default none. */
  readonly maximumDepth?: number;
}

/** A tree is deeper than its form allows. */
export class TooDeepTreeError extends RangeError {}

/** Writes a tree. @param floats whole numbers that get a fraction @throws TooDeepTreeError */
export function writeTree(value: unknown, form: TreeForm, floats?: NumberLiterals): string {
  if (!form.isContainer(value)) return form.scalar(value);
  const writer = new TreeWriter(form, floats, Number.POSITIVE_INFINITY);
  writer.open(value);
  writer.advance(Number.POSITIVE_INFINITY);
  return writer.text;
}

/** {@link writeTree} in steps of some milliseconds. @throws TooDeepTreeError */
export function* writingTree(value: unknown, form: TreeForm, floats?: NumberLiterals): Steps<string> {
  if (!form.isContainer(value)) return form.scalar(value);
  const { values, nodes } = stepSizes;
  const writer = new TreeWriter(form, floats, nodes);
  const parts: string[] = [];
  writer.open(value);
  for (;;) {
    const isWhole = writer.advance(values);
    parts.push(writer.take());
    if (isWhole) return parts.join('');
    yield;
    const frame = writer.takeUnsorted();
    if (frame !== undefined) frame.keys = yield* sortingKeys(frame.keys!);
  }
}

/** A container that has been opened. */
interface Frame {
  readonly container: Readonly<Record<string | number, unknown>>;
  /** Names of the members; undefined for a list. */
  keys: string[] | undefined;
  /** Number of the members or items. */
  readonly length: number;
  next: number;
  /** What precedes the next member. */
  separator: '' | ',';
  readonly floats: { has(key: string): boolean } | undefined;
}

/** Writes a container with a stack of its own, so that it can stop after any member. */
class TreeWriter {
  /** What was written since the last {@link take}. */
  text = '';
  /** Of the text that was taken last. */
  firstUnit = 0;
  private readonly frames: Frame[] = [];
  private unsorted: Frame | undefined;

  /** @param sorted members that are sorted at once */
  constructor(
    private readonly form: TreeForm,
    private readonly floats: NumberLiterals | undefined,
    private readonly sorted: number,
  ) {}

  /** Takes the text since the last call. */
  take(): string {
    const { text } = this;
    this.text = '';
    // A text that was joined from many is copied when it is first read: here, as a part of its step.
    this.firstUnit = text.charCodeAt(0);
    return text;
  }

  /** Takes the container on top if its members are still to be sorted: it had too many of them. */
  takeUnsorted(): Frame | undefined {
    const { unsorted } = this;
    this.unsorted = undefined;
    return unsorted;
  }

  open(container: object): void {
    const { maximumDepth } = this.form;
    if (maximumDepth !== undefined && this.frames.length >= maximumDepth) throw new TooDeepTreeError();
    const isList = Array.isArray(container);
    const keys = isList ? undefined : Object.keys(container);
    const frame: Frame = {
      container: container as Frame['container'],
      keys,
      length: isList ? container.length : keys!.length,
      next: 0,
      separator: '',
      floats: this.floats?.get(container),
    };
    this.text += isList ? '[' : '{';
    this.frames.push(frame);
    if (keys === undefined || !this.form.isSorted) return;
    if (keys.length > this.sorted) this.unsorted = frame;
    else sortKeys(keys);
  }

  /** Writes some members and items. @returns whether the text is complete */
  advance(budget: number): boolean {
    const { frames } = this;
    let left = budget;
    while (frames.length > 0) {
      if (left <= 0 || this.unsorted !== undefined) return false;
      left = this.inside(frames[frames.length - 1]!, left);
    }
    return true;
  }

  /** Writes members of a container up to one that is opened, or to its end. @returns the rest of the budget */
  private inside(frame: Frame, budget: number): number {
    const { form } = this;
    const { container, keys, length, floats } = frame;
    let { text } = this;
    let { next, separator } = frame;
    const end = Math.min(length, next + budget);
    const left = budget + next;
    while (next < end) {
      const key = keys === undefined ? next : keys[next]!;
      next += 1;
      const member = container[key];
      if (keys === undefined) text += separator;
      else if (member === undefined) continue;
      else text += `${separator}${form.quote(key as string)}:`;
      separator = ',';
      if (typeof member === 'string') text += form.quote(member);
      else if (form.isContainer(member)) {
        frame.next = next;
        frame.separator = separator;
        this.text = text;
        this.open(member);
        return left - next;
      } else text += floats?.has(String(key)) === true ? floatText(member, form) : form.scalar(member);
    }
    frame.next = next;
    frame.separator = separator;
    if (next < length) this.text = text;
    else {
      this.text = text + (keys === undefined ? ']' : '}');
      this.frames.pop();
    }
    return left - next;
  }
}

function floatText(value: unknown, form: TreeForm): string {
  if (typeof value !== 'number') return form.scalar(value);
  const text = jsonNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
