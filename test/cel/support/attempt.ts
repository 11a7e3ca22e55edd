import { expect } from 'vitest';
import { compile } from '../../../src/cel/compile.ts';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { CompileError } from '../../../src/cel/errors.ts';
import { environment } from './environment.ts';

const declarations = environment('stored');

/** Compiles any text; checks that only a `CompileError` is thrown, whose message consists of its issues. */
export function attempt(text: string): void {
  try {
    const checked = compile(text, declarations);
    const { min, max } = estimateCost(checked);
    expect(min <= max).toBe(true);
    for (const offset of checked.positions.values())
      if (offset > text.length) expect.fail('a position outside of the text');
  } catch (error) {
    expect(error).toBeInstanceOf(CompileError);
    expect((error as CompileError).issues.length).toBeGreaterThan(0);
  }
}
