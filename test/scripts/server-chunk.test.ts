import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PLUGIN = new URL('../../scripts/support/server-chunk.mjs', import.meta.url).href;
const FILES = {
  'main.ts': "import('./server.ts'); import('./command.ts');",
  'server.ts':
    "import './one.ts'; import './two.ts'; import './three.ts'; import './four.ts'; import('./a.ts'); import('./b.ts'); import('./shared.ts');",
  'command.ts': "import './three.ts'; import('./shared.ts'); console.log('command');",
  'a.ts': "import './four.ts'; console.log('a');",
  'b.ts': "import './two.ts'; console.log('b');",
  'shared.ts': "import './one.ts'; console.log('shared');",
  'one.ts': "console.log('one');",
  'two.ts': "console.log('two');",
  'four.ts': "console.log('four');",
  'three.ts': "console.log('three');",
};

describe('the chunks of the build', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-chunks-'));
    mkdirSync(join(directory, 'src'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, 'src', name), text);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** The texts of all chunks. */
  async function chunks(withPlugin: boolean, sourcemap = false): Promise<string[]> {
    const { serverChunk } = await import(PLUGIN);
    const options: BuildOptions = {
      entryPoints: { main: 'src/main.ts' },
      absWorkingDir: directory,
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      sourcemap,
    };
    const plugins = withPlugin ? [await serverChunk('src/server.ts', options)] : [];
    const { outputFiles } = await build({ ...options, plugins, write: false });
    return outputFiles.map(({ text }) => text);
  }
  const holding = (texts: string[], name: string): string =>
    texts.find((text) => text.includes(`console.log("${name}")`))!;

  test('a server is split for no module that only a server loads late', async () => {
    const [plain, joined] = [await chunks(false), await chunks(true)];
    expect(holding(plain, 'two')).not.toContain('console.log("four")');
    expect(holding(joined, 'two')).toContain('console.log("four")');
  });

  test('what a command loads without a server does not load the server', async () => {
    const joined = await chunks(true);
    expect(holding(joined, 'three')).not.toContain('console.log("two")');
    expect(holding(joined, 'one')).not.toContain('console.log("two")');
    expect(holding(joined, 'shared')).not.toContain('server');
  });

  test('their source maps name no path of the machine', async () => {
    const texts = await chunks(true, true);
    expect(texts.some((text) => text.includes('"sourcesContent"'))).toBe(true);
    expect(texts.filter((text) => text.includes(directory))).toEqual([]);
  });
});

test('the start of a server does not load the YAML parser', async () => {
  const { metafile } = await build({
    entryPoints: ['src/server.ts'],
    absWorkingDir: REPOSITORY,
    bundle: true,
    splitting: true,
    outdir: 'dist',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
  });
  const seen = new Set(['src/server.ts']);
  const loaded = new Set<string>();
  for (const file of seen)
    for (const { path, kind, external } of metafile.inputs[file]!.imports)
      if (kind === 'import-statement') (external === true ? loaded : seen).add(path);
  expect(loaded).toContain('re2js');
  expect(seen).toContain('src/codec/yaml-as-json.ts');
  expect(seen).not.toContain('src/codec/yaml-parse.ts');
});
