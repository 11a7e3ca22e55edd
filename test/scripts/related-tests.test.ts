import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { importersOf, relatedTests } from '../../scripts/support/related-tests.mjs';

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': '',
  'src/b.ts': "import { a } from './a.ts';\nexport { a };",
  'src/late/c.ts': "export const load = () => import('../b.ts');",
  'src/other.ts': '',
  'test/a.test.ts': "import '../src/other.ts';",
  'test/b.test.ts': "import type { b } from '../src/b.ts';",
  'test/late/c.test.ts': "import {\n  load,\n} from '../../src/late/c.ts';",
  'test/scripts/tool.test.ts': '',
  'test/documentation/pages.test.ts': '',
  'scripts/support/tool.mjs': '',
  'bench/run.mjs': '',
};

describe('tests near a change', () => {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-related-'));
  beforeAll(() => {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const tests = Object.keys(FILES).filter((file) => file.endsWith('.test.ts'));
  const near = (...changed: readonly string[]) => relatedTests(changed, importersOf(root), tests);

  it('are the mirrored one, then those that import the change, nearest first', () => {
    expect(near('src/a.ts')).toEqual(['test/a.test.ts', 'test/b.test.ts', 'test/late/c.test.ts']);
    expect(near('src/late/c.ts')).toEqual(['test/late/c.test.ts']);
  });

  it('include changed tests, but not changed files', () => {
    expect(near('test/b.test.ts', 'src/other.ts')).toEqual(['test/b.test.ts', 'test/a.test.ts']);
  });

  it('are those of scripts and pages for their changes', () => {
    expect(near('scripts/support/tool.mjs')).toEqual(['test/scripts/tool.test.ts']);
    expect(near('.ci/run')).toEqual(['test/scripts/tool.test.ts']);
    expect(near('docs/storage.md')).toEqual(['test/documentation/pages.test.ts']);
    expect(near('LICENSE')).toEqual([]);
  });
});
