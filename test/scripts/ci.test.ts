import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Step {
  readonly seconds: number;
  readonly name: string;
  readonly command: string;
}

/** The steps of a script, as it lists them. */
function stepsOf(script: string): Step[] {
  const { stdout, status } = spawnSync('bash', [script, '--list'], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([seconds, name, command]) => ({ seconds: Number(seconds), name: name!, command: command! }));
}

/** The rows below a heading of CONTRIBUTING.md, as steps. */
function documentedSteps(script: string): Step[] {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section] = page.split(`### \`${script}\`\n`);
  return [...section!.split('\n#')[0]!.matchAll(/^\| (\S.*) \| `(.*)` \| (\d+) \|$/gm)].map(
    ([, name, command, seconds]) => ({ seconds: Number(seconds), name: name!, command: command! }),
  );
}

describe.each([
  ['.ci/run', 30],
  ['.ci/full', 240],
])('%s', (script, minutes) => {
  it(`ends within ${minutes} minutes`, () => {
    expect(stepsOf(script).reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(minutes * 60);
  });

  it('has the steps that CONTRIBUTING.md lists', () => {
    expect(documentedSteps(script)).toEqual(stepsOf(script));
  });

  it('runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = stepsOf(script).map(({ command }) => /^npm run (?:--silent )?(\S+)$/.exec(command)?.[1]);
    expect(named.filter((name) => name !== undefined && !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the steps', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-ci-'));
    mkdirSync(join(directory, '.ci'));
    cpSync('.ci/steps', join(directory, '.ci/steps'));
    cpSync('scripts/test-report.mjs', join(directory, 'scripts/test-report.mjs'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs a script with these steps. */
  const run = (...steps: readonly string[]) => {
    const script = join(directory, '.ci/run');
    writeFileSync(script, ['. "$(dirname "$0")/steps"', ...steps, 'finish', ''].join('\n'));
    const { status, stdout } = spawnSync('bash', [script], { encoding: 'utf8' });
    const lines = stdout.trimEnd().split('\n');
    return {
      status,
      stdout,
      last: lines.at(-1),
      failures: lines.filter((line) => line.startsWith('failed: ')),
    };
  };
  /** Writes a program that prints `lines` and ends with `status`. */
  const program = (name: string, lines: string, status: number) => {
    const file = join(directory, name);
    writeFileSync(file, `#!/bin/sh\nprintf '${lines}'\nexit ${status}\n`);
    chmodSync(file, 0o755);
    return `./${name}`;
  };

  it('pass if every command passes', () => {
    expect(run("step 'one' 10 true", "step 'two' 10 true")).toMatchObject({
      status: 0,
      last: '2 passed, 0 failed',
      failures: [],
    });
  });

  it('run all, and count the failed ones', () => {
    expect(run("step 'one' 10 false", "step 'two' 10 true")).toMatchObject({
      status: 1,
      last: '1 passed, 1 failed',
      failures: ['failed: one'],
    });
  });

  it('fail after their limit', () => {
    expect(run("step 'endless' 1 tail -f /dev/null").failures).toEqual(['failed: endless']);
  });

  it('may use the time that the steps before have left', () => {
    const { stdout } = run("step 'one' 100 true", "step 'two' 10 sh -c 'ps -o args= -p $PPID'");
    const [, seconds] = /timeout --kill-after=10 (\d+) /.exec(stdout)!;
    expect(Number(seconds)).toBeGreaterThan(10);
    expect(Number(seconds)).toBeLessThanOrEqual(110);
  });

  it('count the cases of a suite', () => {
    const suite = program('suite', 'more\\n7 passed, 2 failed\\n', 1);
    expect(run(`suite 'cases' 10 ${suite}`)).toMatchObject({
      status: 1,
      last: '8 passed, 2 failed',
      failures: ['failed: cases (2)'],
    });
  });

  it('fail for a suite that does not end with counts, and skip one that is missing', () => {
    expect(run(`suite 'broken' 10 ${program('broken', '7 passed, 2', 0)}`).last).toBe('0 passed, 1 failed');
    expect(run(`suite 'none' 10 ${program('none', 'skipped: no suite\\n', 0)}`)).toMatchObject({
      status: 0,
      last: '0 passed, 0 failed',
    });
  });

  describe('with an npm script', () => {
    /** Sets the script `test` of the package. */
    const setScript = (script: string) =>
      writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { test: script } }));

    it('count its tests', () => {
      const report = { numPassedTests: 3, numFailedTests: 0, testResults: [] };
      writeFileSync(join(directory, 'report.json'), JSON.stringify(report));
      // The arguments are two reporters and `--outputFile.json=FILE`.
      setScript(`sh -c 'cp report.json "$(echo "$3" | cut -d= -f2)"' sh`);
      expect(run("tests 'some' 60 test")).toMatchObject({
        status: 0,
        last: '4 passed, 0 failed',
        failures: [],
      });
    });

    it('fail without a report', () => {
      setScript('true');
      expect(run("tests 'some' 60 test").last).toBe('0 passed, 1 failed');
    });

    it('are skipped if the script says that it lacks a program', () => {
      setScript('sh -c "exit 77"');
      expect(run("tests 'some' 60 test")).toMatchObject({ status: 0, last: '0 passed, 0 failed' });
    });
  });
});
