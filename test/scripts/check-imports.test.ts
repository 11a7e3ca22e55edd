import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-imports-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the script on a tree with these files and returns its problems. */
function problemsOf(files: Readonly<Record<string, string>>): string[] {
  rmSync(join(directory, 'src'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, 'src', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { stderr } = spawnSync(process.execPath, [resolve('scripts/check-imports.mjs')], {
    cwd: directory,
    encoding: 'utf8',
  });
  return stderr.split('\n').filter((line) => line !== '');
}

describe('import rules', () => {
  it('permits only the imports of the table', () => {
    const problems = problemsOf({
      'codec/a.ts': "import '../storage/b.ts';\nimport '../model/c.ts';",
      'storage/b.ts': '',
      'model/c.ts': '',
    });
    expect(problems.filter((problem) => problem.startsWith('src/'))).toEqual([
      'src/codec/a.ts imports src/storage/b.ts: codec may not import storage',
    ]);
  });

  it('reports parts that import each other, also by types', () => {
    const problems = problemsOf({
      'quota/a.ts': "import '../model/b.ts';",
      'model/b.ts': "import type { C } from '../schema/c.ts';",
      'schema/c.ts': "import type { A } from '../quota/a.ts';\nexport type C = A;",
    });
    expect(problems.filter((problem) => problem.startsWith('cycle'))).toEqual([
      'cycle of parts: model → schema → quota → model',
    ]);
  });

  it('reports a permission that no file uses', () => {
    const unused = (part: string, problems: readonly string[]): string[] =>
      problems.filter((problem) => problem.includes(`: ${part} `));
    const files = { 'kubeconfig/a.ts': '', 'errors/b.ts': 'export {};' };
    const permission = 'scripts/import-rules.mjs: kubeconfig does not need the permission errors';
    expect(unused('kubeconfig', problemsOf(files))).toContain(permission);
    const imports = { ...files, 'kubeconfig/a.ts': "import '../errors/b.ts';" };
    expect(unused('kubeconfig', problemsOf(imports))).not.toContain(permission);
  });

  it('reports a single file that no file uses, and the leaf libraries as one permission', () => {
    const about = (files: Readonly<Record<string, string>>): string[] =>
      problemsOf(files)
        .filter((problem) => problem.includes(': controllers '))
        .map((problem) => problem.split(' ').at(-1)!);
    const base = { 'pki/requested-certificate.ts': '', 'pki/der.ts': '', 'model/a.ts': '' };
    const unused = about({ ...base, 'controllers/a.ts': '' });
    expect(unused).toContain('pki/requested-certificate.ts');
    expect(unused.filter((permission) => permission === '...LEAVES')).toHaveLength(1);
    const imports = "import '../pki/requested-certificate.ts';\nimport '../model/a.ts';";
    const used = ['pki/requested-certificate.ts', '...LEAVES'];
    expect(about({ ...base, 'controllers/a.ts': imports })).toEqual(
      unused.filter((permission) => !used.includes(permission)),
    );
  });

  it('reports a part without files', () => {
    expect(problemsOf({ 'model/a.ts': '' })).toContain('scripts/import-rules.mjs: quota has no files');
  });
});

describe('clock rules', () => {
  const refused: readonly (readonly [text: string, use: string])[] = [
    ['Date.now()', 'Date.now'],
    ['const now = Date.now;', 'Date.now'],
    ["Date['now']()", 'Date.now'],
    ['globalThis.Date.now()', 'Date.now'],
    ['new Date()', 'the present Date'],
    ['new Date', 'the present Date'],
    ['Date()', 'the present Date'],
    ['performance.now()', 'performance.now'],
    ['promisify(setTimeout);', 'setTimeout'],
    ['setTimeout(run, 5);', 'setTimeout'],
    ['globalThis.setTimeout(run, 5);', 'setTimeout'],
    ['setInterval(run, 5);', 'setInterval'],
    ['setImmediate(run);', 'setImmediate'],
    ['const timers = { setImmediate };', 'setImmediate'],
    ['process.hrtime.bigint();', 'process.hrtime'],
    ['AbortSignal.timeout(5);', 'AbortSignal.timeout'],
    ["import * as timers from 'node:timers/promises';", 'node:timers/promises'],
    ["const timers = await import('timers');", 'timers'],
    ["import { performance as time } from 'node:perf_hooks';", 'performance'],
  ];
  const permitted = [
    'new Date(5); Date.parse(text); performance.timeOrigin;',
    'stream.setTimeout(5); clock.now(); options.timeout(5);',
    'const clock = { setTimeout: (milliseconds: number) => milliseconds };',
    "const text = 'setTimeout'; // Date.now()",
    "import { monitorEventLoopDelay } from 'node:perf_hooks';",
  ];

  it('refuse the clock and the timers of the machine, but for the clocks and the connection layer', () => {
    const all = 'setTimeout(() => Date.now(), performance.now());';
    const problems = problemsOf({
      ...Object.fromEntries(refused.map(([text], index) => [`codec/refused-${index}.ts`, `\n${text}`])),
      ...Object.fromEntries(permitted.map((text, index) => [`codec/permitted-${index}.ts`, text])),
      'time/a.ts': all,
      'connection/a.ts': all,
      'http2/a.ts': all,
    });
    expect(problems.filter((problem) => problem.includes(' uses '))).toEqual(
      expect.arrayContaining(
        refused.map(
          ([, use], index) => `src/codec/refused-${index}.ts:2 uses ${use}: take a clock of src/time/`,
        ),
      ),
    );
    expect(problems.filter((problem) => problem.includes(' uses '))).toHaveLength(refused.length);
  });
});
