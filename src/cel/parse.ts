import { CompileError, codePoints, SourceText } from './errors.ts';
import { TooManyNodes, TreeBuilder } from './syntax/builder.ts';
import { ParseAborted, SyntaxIssues } from './syntax/issues.ts';
import { Parser } from './syntax/parser.ts';
import { ALL_MACROS, STANDARD_MACROS } from './syntax/standard-macros.ts';
import type { Expression, ParsedExpression } from './syntax.ts';

/** The maximum length of an expression, in code points. */
const MAX_LENGTH = 100_000;

/** Optional parts of the grammar. */
export interface ParseOptions {
  /** Whether two-variable macros (`all(i, v, …)`, `transformList`, …) are enabled. */
  readonly twoVariableComprehensions: boolean;
}

/**
 * Parses an expression and expands its macros.
 * @throws CompileError
 */
export function parse(text: string, options: ParseOptions): ParsedExpression {
  const source = new SourceText(text);
  const issues = new SyntaxIssues(source);
  const build = new TreeBuilder();
  let root: Expression | undefined;
  try {
    checkLength(text, issues);
    root = new Parser(
      source,
      issues,
      build,
      options.twoVariableComprehensions ? ALL_MACROS : STANDARD_MACROS,
    ).parse();
  } catch (error) {
    if (error instanceof TooManyNodes)
      throw new CompileError(source, [
        { message: 'expression expands to too many nodes', line: -1, column: -1 },
      ]);
    if (!(error instanceof ParseAborted)) throw error;
  }
  if (root === undefined || issues.found > 0) throw new CompileError(source, issues.kept, issues.found);
  return { source: text, root, positions: build.positions, macroCalls: build.macroCalls };
}

function checkLength(text: string, issues: SyntaxIssues): void {
  if (text.length <= MAX_LENGTH) return;
  const length = codePoints(text);
  if (length > MAX_LENGTH)
    issues.abortWithoutPosition(
      `expression code point size exceeds limit: size: ${length}, limit ${MAX_LENGTH}`,
    );
}

/**
 * Checks only that an expression parses.
 * @throws CompileError
 */
export function checkSyntax(text: string): void {
  parse(text, { twoVariableComprehensions: false });
}
