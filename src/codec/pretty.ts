import { stepSizes } from '../steps/sizes.ts';
import type { PartSteps } from '../steps/steps.ts';

const FIRST_BYTES = 4096;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Indents compact or spaced JSON by two spaces as Go does: strings and numbers are unchanged, empty objects
 * and lists stay on one line. The text must be valid JSON. There is no line break at the end.
 */
export function prettyJson(text: string): string {
  const parts: Uint8Array[] = [];
  for (const part of prettyParts([Buffer.from(text)])) if (part !== undefined) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/**
 * {@link prettyJson} of a document in parts, split anywhere. Each part of the result takes about a
 * millisecond; pauses of the document remain.
 */
export function* prettyParts(parts: Iterable<Uint8Array | undefined>): PartSteps<Uint8Array> {
  const characters = 2 * stepSizes.formatted;
  const printer = new PrettyPrinter(2 * characters);
  for (const part of parts) {
    if (part === undefined) {
      yield;
      continue;
    }
    for (let from = 0; from < part.length; ) {
      from = printer.write(part, from, Math.min(from + characters, part.length));
      if (printer.length < characters) continue;
      yield printer.take();
      yield;
    }
  }
  yield printer.take();
}

/** State of the scanner. All significant characters are single ASCII bytes. */
class PrettyPrinter {
  #memory = Buffer.allocUnsafe(FIRST_BYTES);
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** A container was opened and may be empty. */
  #opened = false;
  length = 0;

  /** @param most bytes that are written at once, about */
  constructor(private readonly most: number) {}

  /** @returns the offset at which it stopped, since the output of deep nesting is very long */
  write(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to && this.length < this.most; at++) {
      const byte = bytes[at]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        this.#put(byte);
      } else this.#token(byte);
    }
    return at;
  }

  /** Returns the bytes written since the last call, owned by the caller. */
  take(): Uint8Array {
    const taken = this.#memory.subarray(0, this.length);
    this.#memory = Buffer.allocUnsafe(Math.max(this.length, FIRST_BYTES));
    this.length = 0;
    return taken;
  }

  #token(byte: number): void {
    if (byte === SPACE || byte === NEWLINE || byte === 0x0d || byte === 0x09) return;
    const closes = byte === 0x7d || byte === 0x5d;
    if (closes) {
      this.#depth--;
      if (!this.#opened) this.#line();
    } else if (this.#opened) this.#line();
    this.#opened = byte === 0x7b || byte === 0x5b;
    if (this.#opened) this.#depth++;
    this.#put(byte);
    if (byte === 0x2c) this.#line();
    else if (byte === 0x3a) this.#put(SPACE);
    else if (byte === QUOTE) this.#inString = true;
  }

  #line(): void {
    this.#put(NEWLINE);
    const indent = 2 * this.#depth;
    this.#room(indent);
    this.#memory.fill(SPACE, this.length, this.length + indent);
    this.length += indent;
  }

  #put(byte: number): void {
    this.#room(1);
    this.#memory[this.length++] = byte;
  }

  #room(bytes: number): void {
    if (this.length + bytes <= this.#memory.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#memory.length, this.length + bytes));
    this.#memory.copy(larger, 0, 0, this.length);
    this.#memory = larger;
  }
}
