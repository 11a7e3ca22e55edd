import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-map-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const check = (cwd: string) =>
  spawnSync(process.execPath, [resolve('scripts/generate-map.mjs'), '--check'], { cwd, encoding: 'utf8' });

describe('docs/map.md', () => {
  it('is current', () => {
    const { status, stderr } = check('.');
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('is refused when it is not', () => {
    mkdirSync(join(directory, 'docs'));
    writeFileSync(join(directory, 'docs/map.md'), `${readFileSync('docs/map.md', 'utf8')}\n`);
    expect(check(directory)).toMatchObject({
      status: 1,
      stderr: 'docs/map.md is out of date: run node scripts/generate-map.mjs\n',
    });
  });

  it('has one line for everything in src/', () => {
    const page = readFileSync('docs/map.md', 'utf8');
    for (const name of readdirSync('src'))
      expect(
        page.split('\n').filter((line) => line.startsWith(`| [${name}](../src/${name}) | `)),
      ).toHaveLength(1);
  });
});

describe('the import rules', () => {
  it('need a description for each part, and have none for others', () => {
    const scripts = join(directory, 'scripts');
    cpSync('scripts/support', join(scripts, 'support'), { recursive: true });
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    mkdirSync(join(directory, 'src'));
    const rules = readFileSync('scripts/import-rules.mjs', 'utf8');
    const renamed = rules.replace(/^ {4}quota: '/m, "    shares: '");
    expect(renamed).not.toBe(rules);
    writeFileSync(join(scripts, 'import-rules.mjs'), renamed);
    cpSync('scripts/check-imports.mjs', join(scripts, 'check-imports.mjs'));
    const { stderr } = spawnSync(process.execPath, ['scripts/check-imports.mjs'], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([
        'scripts/import-rules.mjs: quota has no description',
        'scripts/import-rules.mjs: shares has a description but no permissions, or two',
      ]),
    );
  });
});
