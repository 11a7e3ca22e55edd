/** One thing that is wrong with an expression. */
export interface Issue {
  readonly message: string;
  /** From 1; -1 where an issue is about the whole expression (a limit). */
  readonly line: number;
  /** Code points before the place in its line; -1 where there is no place (an empty source has none). */
  readonly column: number;
}

/** No more issues than this are kept, those found first; the rest is counted. */
export const MAX_ISSUES = 100;

/** Lines longer than this (bytes) are not shown. */
const MAX_SNIPPET_BYTES = 16_384;

/** A source text with its lines, for turning offsets into places. Offsets and columns count code points. */
export class SourceText {
  readonly text: string;
  #lines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The place of an index of UTF-16 units. */
  placeOfIndex(index: number): { line: number; column: number } {
    if (this.text === '') return { line: 1, column: -1 };
    const before = this.text.slice(0, index);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let newline = before.indexOf('\n'); newline !== -1; newline = before.indexOf('\n', newline + 1))
      line++;
    return { line, column: codePoints(before.slice(lineStart)) };
  }

  /** The place of an offset in code points. */
  placeOf(offset: number): { line: number; column: number } {
    return this.placeOfIndex(this.indexOf(offset));
  }

  /** The index of UTF-16 units of an offset in code points. */
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

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // The second half of a pair is counted with its first.
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}

/**
 * An issue as it is shown: the message with its place, the line, and a pointer; beyond ASCII the pointer is
 * as wide as such characters are.
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
 * An expression does not parse or does not type-check. The message is every issue as clients see it, in the
 * order of their places.
 */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  readonly issues: readonly Issue[];

  /** `issues` in the order in which they were found; `found` is how many there were. */
  constructor(source: SourceText, issues: readonly Issue[], found = issues.length) {
    const sorted = issues.slice(0, MAX_ISSUES).sort((a, b) => a.line - b.line || a.column - b.column);
    const printed = sorted.map((issue) => printIssue(source, issue));
    if (found > sorted.length) printed.push(`${found - sorted.length} more errors were truncated`);
    super(printed.join('\n'));
    this.issues = sorted;
  }
}

/** What is wrong with some node of an expression. */
export interface Finding {
  /** The id of the node. */
  readonly id: number;
  readonly message: string;
}

/** The error of findings about nodes, in the order in which they were found. */
export function compileErrorOf(
  parsed: { readonly source: string; readonly positions: ReadonlyMap<number, number> },
  findings: readonly Finding[],
): CompileError {
  const source = new SourceText(parsed.source);
  const kept = findings
    .slice(0, MAX_ISSUES)
    .map(({ id, message }) => ({ message, ...source.placeOf(parsed.positions.get(id) ?? 0) }));
  return new CompileError(source, kept, findings.length);
}
