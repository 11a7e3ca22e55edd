import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-report-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface File {
  readonly name?: string;
  readonly status?: string;
  readonly tests?: readonly string[];
}

/** Returns the counts and messages for a report with these files. */
function countOf(files: readonly File[], exitStatus = 0): { counts: string; said: string } {
  const testResults = files.map(({ name = 'test/a.test.ts', status = 'passed', tests = [] }) => ({
    name: resolve(name),
    status,
    message: 'cannot find a module',
    assertionResults: tests.map((outcome) => ({ status: outcome, fullName: 'a test' })),
  }));
  const all = files.flatMap(({ tests = [] }) => tests);
  const [numPassedTests, numFailedTests] = ['passed', 'failed'].map(
    (outcome) => all.filter((one) => one === outcome).length,
  );
  const file = join(directory, 'report.json');
  writeFileSync(file, JSON.stringify({ numPassedTests, numFailedTests, testResults }));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/test-report.mjs', file, String(exitStatus)],
    { encoding: 'utf8' },
  );
  return { counts: stdout.trim(), said: stderr.trim() };
}

describe('test report', () => {
  it('counts passed and failed tests', () => {
    expect(
      countOf([{ tests: ['passed', 'passed'] }, { status: 'failed', tests: ['failed', 'passed'] }], 1),
    ).toEqual({ counts: '3 1', said: '' });
  });

  it('counts a file that failed to run as a failure', () => {
    const { counts, said } = countOf(
      [{ tests: ['passed'] }, { name: 'test/b.test.ts', status: 'failed' }],
      1,
    );
    expect(counts).toBe('1 1');
    expect(said).toBe('test/b.test.ts failed to run: cannot find a module');
  });

  it('counts a test that was skipped without an accepted reason as a failure', () => {
    for (const outcome of ['skipped', 'pending', 'todo']) {
      const { counts, said } = countOf([{ tests: ['passed', outcome] }]);
      expect(counts).toBe('1 1');
      expect(said).toBe('skipped without an accepted reason: test/a.test.ts: a test');
    }
  });

  it('accepts a run in which every test lacks its program', () => {
    const name = 'test/e2e/kube-apiserver.etcd.test.ts';
    vi.stubEnv('BINNACLE_KUBE_APISERVER', join(directory, 'absent'));
    expect(countOf([{ name, tests: ['skipped'] }])).toEqual({
      counts: '0 0',
      said: '1 tests were skipped: BINNACLE_KUBE_APISERVER names no kube-apiserver',
    });
    vi.unstubAllEnvs();
  });

  it('counts an empty run, and errors outside of tests, as failures', () => {
    expect(countOf([])).toEqual({ counts: '0 1', said: 'no test was run' });
    expect(countOf([{ tests: ['passed'] }], 1)).toEqual({
      counts: '1 1',
      said: 'vitest ended with 1 although no test failed',
    });
  });
});
