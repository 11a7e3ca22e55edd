import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const { newestRelease, fileProblems, leakProblems, registryHosts } = (await import(
  '../../scripts/support/release.mjs' as string
)) as {
  newestRelease(changelog: string): { version: string; unreleased: number } | undefined;
  fileProblems(files: readonly string[]): string[];
  leakProblems(file: string, text: string, forbidden: readonly string[]): string[];
  registryHosts(registry: string, lock: { packages: Record<string, { resolved?: string }> }): string[];
};

const WHOLE = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'dist/cel.js',
  'dist/chunks/lease-ABCDEFG2.js.map',
  'dist/index.js',
  'dist/main.js',
  'dist/testing.js',
  'dist/types/cel/index.d.ts',
  'dist/types/index.d.ts',
  'dist/types/testing/index.d.ts',
  'docs/stability.md',
  'examples/web-app/deployment.yaml',
  'package.json',
];

describe('the version of a release', () => {
  it('is the newest heading with a number', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n- One.\n- Two.\n\n## 1.2.0\n\n- Three.\n\n## 1.1.0\n';
    expect(newestRelease(changelog)).toEqual({ version: '1.2.0', unreleased: 2 });
    expect(newestRelease('# Changelog\n\n## Unreleased\n')).toBeUndefined();
  });

  it('is that of package.json, below a heading for what is not released', () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(newestRelease(changelog)?.version).toBe(version);
    expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe('Unreleased');
  });
});

describe('the files of a package', () => {
  it('are those of the list', () => {
    expect(fileProblems(WHOLE)).toEqual([]);
  });

  it.each([
    '.env',
    'test/a.test.ts',
    'dist/types/../../x.d.ts',
    'src/index.ts',
    'docs/notes.txt',
    'wrappers/go/binnacle.go',
    'x.tgz',
  ])('do not include %s', (file) =>
    expect(fileProblems([...WHOLE, file])).toEqual([`${file} does not belong in the package`]),
  );

  it('are all there', () => {
    expect(fileProblems(WHOLE.filter((file) => !file.startsWith('dist/types/')))).toEqual(
      ['cel/', '', 'testing/'].map((part) => `dist/types/${part}index.d.ts is missing in the package`),
    );
  });
});

describe('what a package tells about the machine that made it', () => {
  it('is found: paths, homes and registries', () => {
    const text = 'at /builds/one/src/a.ts, /home/someone/project and https://registry.example/ws';
    expect(leakProblems('dist/a.js', text, ['/builds/one/', 'registry.example', 'absent'])).toEqual([
      'dist/a.js contains /builds/one/',
      'dist/a.js contains registry.example',
      'dist/a.js contains /home/someone/project',
    ]);
    expect(leakProblems('dist/a.js', 'GET /apis/apps/v1, in /home/ or /Users', [])).toEqual([]);
  });

  it('includes the hosts of the registries in use', () => {
    const lock = {
      packages: { '': {}, 'node_modules/a': { resolved: 'https://mirror.example:8443/a.tgz' } },
    };
    expect(registryHosts('http://proxy.example/npm/', lock)).toEqual([
      'registry.npmjs.org',
      'registry.yarnpkg.com',
      'proxy.example',
      'mirror.example:8443',
    ]);
    expect(registryHosts('undefined', { packages: {} })).toHaveLength(2);
  });
});
