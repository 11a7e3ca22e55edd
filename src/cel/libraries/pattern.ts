import { RE2JS } from 're2js';
import { BoundedMap } from '../../collections/bounded-map.ts';
import type { Frame } from '../planner/frame.ts';
import { ErrorValue } from '../values/error-value.ts';

/** The number of instructions that count as one step of work. */
const INSTRUCTIONS_PER_STEP = 8;

/** A compiled pattern, matched in linear time. */
export class Pattern {
  private readonly compiled: RE2JS;
  /** The number of instructions of the compiled pattern; each can be tried at each character. */
  private readonly instructions: number;

  constructor(compiled: RE2JS) {
    this.compiled = compiled;
    this.instructions = compiled.programSize();
  }

  /** Whether the pattern matches somewhere in a text. */
  test(frame: Frame, text: string): boolean {
    this.meter(frame, text);
    return this.compiled.matcher(text).find();
  }

  /** Counts the work of matching: with counted repetitions it is far more than the cost. */
  private meter(frame: Frame, text: string): void {
    frame.work(Math.ceil((text.length * this.instructions) / INSTRUCTIONS_PER_STEP));
  }

  /** The first matches in a text, up to a maximum number. */
  findAll(frame: Frame, text: string, max: number): string[] {
    this.meter(frame, text);
    const found: string[] = [];
    const matcher = this.compiled.matcher(text);
    let end = -1;
    while (found.length < max && matcher.find()) {
      frame.work(1);
      // An empty match directly after another match does not count.
      if (matcher.start() === matcher.end() && matcher.start() === end) continue;
      end = matcher.end();
      found.push(text.slice(matcher.start(), end));
    }
    return found;
  }
}

const MAX_CACHED_PATTERNS = 256;
/** Recently compiled patterns. */
const patterns = new BoundedMap<string, Pattern | ErrorValue>(MAX_CACHED_PATTERNS);
/** Longer patterns are not cached, to bound the memory of the cache. */
const MAX_CACHED_PATTERN_LENGTH = 4096;

/** A compiled pattern, or the evaluation error. */
export function compilePattern(text: string): Pattern | ErrorValue {
  const known = patterns.get(text);
  if (known !== undefined) return known;
  const pattern = compile(text);
  if (text.length > MAX_CACHED_PATTERN_LENGTH) return pattern;
  patterns.set(text, pattern);
  return pattern;
}

function compile(text: string): Pattern | ErrorValue {
  try {
    return new Pattern(RE2JS.compile(text));
  } catch (error) {
    return new ErrorValue(error instanceof Error ? error.message : 'error parsing regexp');
  }
}
