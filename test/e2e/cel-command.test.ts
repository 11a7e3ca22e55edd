import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMAND } from './support/command.ts';

const LIBRARY = new URL('../../dist/cel.js', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'binnacle-cel-'));
const LIMIT_MILLISECONDS = 60_000;

const run = (file: string, ...words: string[]) =>
  spawnSync(file, words, {
    encoding: 'utf8',
    timeout: LIMIT_MILLISECONDS,
    maxBuffer: 64 * 1024 * 1024,
  });

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('binnacle cel', () => {
  it('prints the result and sets the exit status', () => {
    expect(run(...COMMAND, 'cel', '1 + 1')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('value           2\n'),
      stderr: '',
    });
    expect(run(...COMMAND, 'cel', '1 +')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(' | ...^\n'),
    });
  });

  it('prints a long result completely', () => {
    const file = join(directory, 'eval.json');
    writeFileSync(
      file,
      JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, expr: `"${'x'.repeat(100)}" + "y"` }))),
    );
    const { status, stdout } = run(...COMMAND, 'cel', '--cases', file);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(5000);
  });
});

describe('the library', () => {
  it('loads without the server', () => {
    const script = `const { compile, declarationsOf, plan, valueOfJson, DYN } = await import(${JSON.stringify(LIBRARY.href)});
      const program = plan(compile('self.replicas <= 5', declarationsOf('new', { variables: new Map([['self', DYN]]) })));
      console.log(JSON.stringify(program.evaluate(new Map([['self', valueOfJson({ replicas: 3 })]]), { limit: 1_000_000 })));`;
    expect(run(process.execPath, '--input-type=module', '--eval', script)).toMatchObject({
      stdout: '{"kind":"value","value":true,"cost":3}\n',
      stderr: '',
    });
  });
});
