import { BinnacleError } from '../errors/binnacle-error.ts';

/** One error in an expression. */
export interface Issue {
  readonly message: string;
  /** Starts at 1; -1 for an issue about the whole expression (a limit). */
  readonly line: number;
  /** Code points before the position in its line; -1 without a position (an empty source has none). */
  readonly column: number;
}

/** The maximum number of issues kept, in the order found; further ones are only counted. */
export const MAX_ISSUES = 100;

/** Longer lines (in bytes) are left out of the message. */
const MAX_SNIPPET_BYTES = 16_384;

/** A source text with its lines, for mapping offsets to positions. Offsets and columns count code points. */
export class SourceText {
  readonly text: string;
  #lines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The line and column of an index in UTF-16 units. */
  positionOfIndex(index: number): { line: number; column: number } {
    if (this.text === '') return { line: 1, column: -1 };
    const before = this.text.slice(0, index);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let newline = before.indexOf('\n'); newline !== -1; newline = before.indexOf('\n', newline + 1))
      line++;
    return { line, column: codePoints(before.slice(lineStart)) };
  }

  /** The line and column of an offset in code points. */
  positionOf(offset: number): { line: number; column: number } {
    return this.positionOfIndex(this.indexOf(offset));
  }

  /** The index in UTF-16 units of an offset in code points. */
  indexOf(offset: number): number {
    let index = 0;
    for (let left = offset; left > 0 && index < this.text.length; left--)
      index += this.text.codePointAt(index)! > 0xffff ? 2 : 1;
    return index;
  }

  line(number: number): string | undefined {
    if (this.text === '' || number < 1) return undefined;
    this.#lines ??= this.text.split('\n');
    return this.#lines[number - 1];
  }
}

/** The number of code points of a text. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // A low surrogate is counted with its high surrogate.
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}

/**
 * Formats an issue: the message with its position, the line, and a pointer. The pointer uses full-width
 * characters under non-ASCII ones.
 */
function printIssue(source: SourceText, issue: Issue): string {
  const header = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
  const line = source.line(issue.line)?.replaceAll('\t', ' ');
  if (line === undefined || Buffer.byteLength(line) > MAX_SNIPPET_BYTES) return header;
  let pointer = '';
  let index = 0;
  for (let column = 0; column < issue.column && index < line.length; column++) {
    const code = line.codePointAt(index)!;
    pointer += code > 0x7f ? '．' : '.';
    index += code > 0xffff ? 2 : 1;
  }
  pointer += index < line.length && line.codePointAt(index)! > 0x7f ? '＾' : '^';
  return `${header}\n | ${line}\n | ${pointer}`;
}

/**
 * An expression does not parse or does not type-check. The message lists every issue as clients see it,
 * ordered by position.
 */
export class CompileError extends BinnacleError {
  readonly code = 'ERR_BINNACLE_COMPILE';
  override readonly name = 'CompileError';
  readonly issues: readonly Issue[];

  /** `issues` are in the order found; `found` is the total number. */
  constructor(source: SourceText, issues: readonly Issue[], found = issues.length) {
    const sorted = issues.slice(0, MAX_ISSUES).sort((a, b) => a.line - b.line || a.column - b.column);
    const printed = sorted.map((issue) => printIssue(source, issue));
    if (found > sorted.length) printed.push(`${found - sorted.length} more errors were truncated`);
    super(printed.join('\n'));
    this.issues = sorted;
  }
}

/** An error at a node of an expression. */
export interface Finding {
  /** The id of the node. */
  readonly id: number;
  readonly message: string;
}

/** The error for findings, given in the order found. */
export function compileErrorOf(
  parsed: { readonly source: string; readonly positions: ReadonlyMap<number, number> },
  findings: readonly Finding[],
): CompileError {
  const source = new SourceText(parsed.source);
  const kept = findings
    .slice(0, MAX_ISSUES)
    .map(({ id, message }) => ({ message, ...source.positionOf(parsed.positions.get(id) ?? 0) }));
  return new CompileError(source, kept, findings.length);
}
