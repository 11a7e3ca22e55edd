import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/documents.ts';
import { COMMAND, requireCommand } from './support/command.ts';

/** Compilers are slow beside other work, and fetch what is missing. */
const MILLISECONDS = 900_000;
const WRAPPERS = join(ROOT, 'wrappers');
const MOST_LINES = 200;
/** An interpreter that has pytest. */
const python = process.env['BINNACLE_TEST_PYTHON'] ?? 'python3';

const runs = (command: string, ...words: string[]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0;

/** The tests of each wrapper, on the built server, where its tools are installed. */
describe('the wrapper for', () => {
  requireCommand();
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-wrappers-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /**
   * Runs the tests of a wrapper, which must succeed, in a copy, so that nothing is left in the repository.
   * @returns what it printed
   */
  async function test(name: string, command: string, ...words: string[]): Promise<string> {
    const [copy, temporary] = [join(directory, name), join(directory, `${name}-temporary`)];
    cpSync(join(WRAPPERS, name), copy, { recursive: true });
    mkdirSync(temporary);
    const child = spawn(command, words, {
      cwd: copy,
      env: {
        ...process.env,
        BINNACLE_BIN: COMMAND.join(' '),
        TMPDIR: temporary,
        PYTHONPATH: 'src',
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw new Error(`${command} ${words.join(' ')}: exit ${code}\n${output}`);
    expect(readdirSync(temporary).filter((entry) => entry.startsWith('binnacle'))).toEqual([]);
    return output;
  }

  it.skipIf(!runs('go', 'version'))(
    'Go',
    async () => {
      expect(await test('go', 'go', 'test', '-count=1', '-v', './...')).toMatch(
        /--- PASS: TestDependentsGoWithTheirOwner/,
      );
    },
    MILLISECONDS,
  );

  it.skipIf(!runs(python, '-c', 'import pytest'))(
    'Python',
    async () => {
      const words = ['-m', 'pytest', '-p', 'binnacle_server.pytest_plugin', '-p', 'no:cacheprovider'];
      expect(await test('python', python, ...words)).toMatch(/\b[1-9]\d* passed/);
    },
    MILLISECONDS,
  );

  it.skipIf(!runs('mvn', '--version'))(
    'Java',
    async () => {
      await test('java', 'mvn', '--batch-mode', '--quiet', 'test');
      const reports = join(directory, 'java/target/surefire-reports/binnacle.ExampleTest.txt');
      expect(readFileSync(reports, 'utf8')).toMatch(/Tests run: [1-9]\d*, Failures: 0, Errors: 0/);
    },
    MILLISECONDS,
  );

  it.skipIf(!runs('cargo', '--version'))(
    'Rust',
    async () => {
      expect(await test('rust', 'cargo', 'test', '--locked')).toMatch(/test result: ok\. [1-9]\d* passed/);
    },
    MILLISECONDS,
  );

  it.each([
    ['Go', 'go', '.go'],
    ['Python', 'python/src', '.py'],
    ['Java', 'java/src/main', '.java'],
    ['Rust', 'rust/src', '.rs'],
  ])(`%s has at most ${MOST_LINES} lines of code`, (_, folder, extension) => {
    const files = readdirSync(join(WRAPPERS, folder), { recursive: true, encoding: 'utf8' }).filter(
      (file) => extname(file) === extension && !file.includes('_test'),
    );
    const lines = files
      .flatMap((file) => readFileSync(join(WRAPPERS, folder, file), 'utf8').split('\n'))
      .filter((line) => !/^\s*(?:\/\/.*|\/?\*.*|#.*)?$/.test(line));
    expect(files.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
  });
});
