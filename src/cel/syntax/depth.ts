import type { SyntaxIssues } from './issues.ts';

/** The most rules of one kind that may be open at once, and the deepest tree. */
const MAX_DEPTH = 250;

/**
 * Counts open rules, of each kind for itself: an expression that nests too deep is refused before the stack
 * feels it. A rule that continues with its own result as left operand (`a + b + c`, `a.b.c`) counts once more
 * for each.
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

  /** The height of the whole tree: nested operators, selects, calls on targets and indices count. */
  checkHeight(height: number): void {
    if (height > MAX_DEPTH) this.#issues.abortWithoutPosition('max recursion depth exceeded');
  }
}
