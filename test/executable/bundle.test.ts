import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { bundleProgram } = (await import(
  new URL('../../scripts/executables/bundle.mjs', import.meta.url).href
)) as { bundleProgram(options: object): Promise<string> };

/** How the bundle evaluates a module that is first used: its name is the only property of an object. */
const EVALUATION = /\(0,fn\[__getOwnPropNames\(fn\)\[0\]\]\)/;
const COUNTED =
  '(0,(process.evaluated=process.evaluated||[]).push(__getOwnPropNames(fn)[0]),fn[__getOwnPropNames(fn)[0]])';
/** Prints the evaluated modules at the first text on the standard output, which says that the server is ready. */
const REPORT = `
{
  const { write } = process.stdout;
  process.stdout.write = () => {
    write.call(process.stdout, JSON.stringify(process.evaluated));
    process.exit(0);
  };
}
`;

describe('the program in an executable', () => {
  let directory: string;
  let bundle: string;
  let evaluated: string[];
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-bundle-'));
    bundle = await bundleProgram({ version: '0.0.0', addon: { name: 'lmdb-0', file: 'package.json' } });
    const counted = bundle.replace(EVALUATION, () => COUNTED);
    expect(counted).not.toBe(bundle);
    writeFileSync(join(directory, 'program.cjs'), `${REPORT}${counted}`);
    const child = spawn(
      process.execPath,
      [join(directory, 'program.cjs'), '--storage-backend=memory', '--secure-port=0'],
      {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    evaluated = JSON.parse(output) as string[];
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('evaluates at the start what a server needs', () => {
    expect(evaluated).toContain('src/server.ts');
    expect(evaluated).toContain('src/storage/memory/memory-storage.ts');
    expect(new Set(evaluated).size).toBe(evaluated.length);
  });

  it.each([
    'src/storage/embedded/',
    'src/storage/etcd/',
    'src/storage/encryption/secretbox.ts',
    'src/codec/yaml-parse.ts',
    'src/cli/cel/',
    'src/cli/envtest/command.ts',
    'src/openapi/documents.ts',
    'src/audit/',
    'node_modules/lmdb',
    'node_modules/ws',
    'node_modules/@noble',
  ])('does not evaluate %s, which is in it', (path) => {
    expect(bundle).toContain(`"${path}`);
    expect(evaluated.filter((name) => name.startsWith(path))).toEqual([]);
  });

  it('loads modules of Node.js only', () => {
    const required = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
    const { builtinModules } = process.getBuiltinModule('node:module');
    const foreign = new Set(
      required.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)),
    );
    // ws works without these two.
    expect([...foreign].sort()).toEqual(['bufferutil', 'utf-8-validate']);
    expect(bundle).not.toMatch(/[^.\w]import\(/);
  });
});
