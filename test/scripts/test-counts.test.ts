import { describe, expect, it } from 'vitest';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}
const { goCounts, mavenCounts, rustCounts } = (await import(
  new URL('../../scripts/support/test-counts.mjs', import.meta.url).href
)) as Record<'goCounts' | 'mavenCounts' | 'rustCounts', (output: string) => Counts>;

describe('the counts of test runners', () => {
  const go = (...events: object[]) => goCounts(events.map((event) => `${JSON.stringify(event)}\n`).join(''));

  it('of Go are those of whole tests', () => {
    expect(
      go(
        { Action: 'pass', Package: 'a', Test: 'TestOne/part' },
        { Action: 'pass', Package: 'a', Test: 'TestOne' },
        { Action: 'skip', Package: 'a', Test: 'TestTwo' },
        { Action: 'pass', Package: 'a' },
      ),
    ).toEqual({ passed: 1, failed: 0 });
  });

  it('of Go count a package that fails, also when it has no test', () => {
    expect(go({ Action: 'fail', Package: 'a', Test: 'TestOne' }, { Action: 'fail', Package: 'a' })).toEqual({
      passed: 0,
      failed: 1,
    });
    expect(go({ Action: 'fail', Package: 'a' }).failed).toBe(1);
  });

  it('of Ginkgo are its specifications', () => {
    const Output = 'FAIL! -- 53 Passed | 2 Failed | 0 Pending | 1 Skipped\n';
    expect(
      go(
        { Action: 'output', Package: 'a', Test: 'TestSuite', Output },
        { Action: 'fail', Package: 'a', Test: 'TestSuite' },
        { Action: 'fail', Package: 'a' },
      ),
    ).toEqual({ passed: 53, failed: 2 });
  });

  it('of Maven are in its last summary', () => {
    const line = (run: number) =>
      `[INFO] \u001b[1mTests run: ${run}, Failures: 1, Errors: 2, Skipped: 3\u001b[m`;
    expect(mavenCounts(`${line(6)}, Time elapsed: 1 s\n${line(16)}\n`)).toEqual({ passed: 10, failed: 3 });
    expect(mavenCounts('BUILD FAILURE')).toEqual({ passed: 0, failed: 1 });
  });

  it('of Rust are the sum of its programs', () => {
    const output =
      'test result: ok. 2 passed; 0 failed; 1 ignored\n\ntest result: FAILED. 1 passed; 3 failed;\n';
    expect(rustCounts(output)).toEqual({ passed: 3, failed: 3 });
    expect(rustCounts('error: could not compile')).toEqual({ passed: 0, failed: 1 });
  });
});
