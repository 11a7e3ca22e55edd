import type { SyntaxIssues } from './issues.ts';

/** The maximum number of open rules of one kind, and the maximum depth of the tree. */
const MAX_DEPTH = 250;

/**
 * Counts open rules by kind: rejects an expression that is nested too deeply before the stack overflows. A
 * rule that continues with its own result as left operand (`a + b + c`, `a.b.c`) counts once more for each
 * continuation.
 */
export class OpenRules {
  readonly #issues: SyntaxIssues;
  expression = 0;
  relation = 0;
  calculation = 0;
  member = 0;

  constructor(issues: SyntaxIssues) {
    this.#issues = issues;
  }

  check(depth: number): void {
    if (depth > MAX_DEPTH)
      this.#issues.abortWithoutPosition(`expression recursion limit exceeded: ${MAX_DEPTH}`);
  }

  /** Checks the height of the whole tree: nested operators, selects, member calls and indices count. */
  checkHeight(height: number): void {
    if (height > MAX_DEPTH) this.#issues.abortWithoutPosition('max recursion depth exceeded');
  }
}
