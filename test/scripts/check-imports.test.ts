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

  it('reports a permission that no file uses', () => {
    const unused = (part: string, problems: readonly string[]): string[] =>
      problems.filter((problem) => problem.includes(`: ${part} `));
    const files = { 'files/a.ts': '', 'errors/b.ts': 'export {};' };
    expect(unused('files', problemsOf(files))).toEqual([
      'scripts/check-imports.mjs: files does not need the permission errors',
    ]);
    expect(unused('files', problemsOf({ ...files, 'files/a.ts': "import '../errors/b.ts';" }))).toEqual([]);
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
    expect(problemsOf({ 'model/a.ts': '' })).toContain('scripts/check-imports.mjs: quota has no files');
  });
});
