import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly path: string;
  readonly platformOf?: string;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

const { shippedPackages, licenceProblems, renderLicences } = (await import(
  '../../scripts/support/licences.mjs' as string
)) as {
  shippedPackages(lock: Lock): Shipped[];
  licenceProblems(root: string, packages: readonly Shipped[]): string[];
  renderLicences(root: string, packages: readonly Shipped[]): string;
};

const root = mkdtempSync(join(tmpdir(), 'binnacle-licences-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, 'node_modules', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const LOCK: Lock = {
  packages: {
    '': { dependencies: { store: '1' }, devDependencies: { builder: '1' } },
    'node_modules/store': {
      version: '1.2.3',
      license: 'MIT',
      dependencies: { helper: '2' },
      optionalDependencies: { 'store-linux': '1.2.3' },
    },
    'node_modules/store-linux': { version: '1.2.3', os: ['linux'] },
    'node_modules/helper': { version: '1.0.0', license: 'GPL-3.0' },
    'node_modules/store/node_modules/helper': { version: '2.0.0', license: 'ISC' },
    'node_modules/builder': { version: '1.0.0', license: 'GPL-3.0' },
  },
};
const FILES = {
  'store/LICENSE': 'Text of the store',
  'store/src/engine/LICENSE': 'Text of the engine',
  'store/src/copy/LICENSE': 'Text of the engine',
  'store/node_modules/helper/LICENCE.md': 'Text of the helper',
};

describe('licences of shipped packages', () => {
  it('are those of dependencies, found as Node.js finds them, for all platforms', () => {
    expect(shippedPackages(LOCK)).toEqual([
      { name: 'helper', version: '2.0.0', license: 'ISC', path: 'node_modules/store/node_modules/helper' },
      { name: 'store', version: '1.2.3', license: 'MIT', path: 'node_modules/store' },
      {
        name: 'store-linux',
        version: '1.2.3',
        license: 'MIT',
        path: 'node_modules/store-linux',
        platformOf: 'node_modules/store',
      },
    ]);
  });

  it('are collected with those of sources in the packages, each text once', () => {
    write(FILES);
    expect(licenceProblems(root, shippedPackages(LOCK))).toEqual([]);
    const text = renderLicences(root, shippedPackages(LOCK));
    expect(text.match(/Text of the \w+/g)).toEqual([
      'Text of the helper',
      'Text of the store',
      'Text of the engine',
    ]);
    expect(text).toContain('store-linux 1.2.3: MIT');
    expect(text).toContain('See store.');
  });

  it('must be named, allowed and present', () => {
    write(FILES);
    const [shipped] = shippedPackages(LOCK);
    const problem = (changes: Partial<Shipped>) => licenceProblems(root, [{ ...shipped!, ...changes }]);
    expect(problem({ license: undefined })).toEqual(['helper 2.0.0 names no licence']);
    expect(problem({ license: 'GPL-3.0' })).toEqual([
      'helper 2.0.0 has the licence GPL-3.0, which is not in the list of allowed ones',
    ]);
    expect(problem({ path: 'node_modules/absent' })).toEqual(['helper 2.0.0 has no text of its licence ISC']);
  });

  it('of MIT without a file need an author', () => {
    write({ 'small/package.json': '{"author":{"name":"A. Writer"}}', 'nobody/package.json': '{}' });
    const small = { name: 'small', version: '1.0.0', license: 'MIT', path: 'node_modules/small' };
    const nobody = { ...small, name: 'nobody', path: 'node_modules/nobody' };
    expect(licenceProblems(root, [small, nobody])).toEqual(['nobody 1.0.0 has no text of its licence MIT']);
    expect(renderLicences(root, [small])).toContain(
      'Copyright (c) A. Writer\n\nPermission is hereby granted',
    );
  });

  it('of this package are allowed, and listed in THIRD-PARTY-LICENSES.txt', () => {
    const shipped = shippedPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock);
    expect(licenceProblems(resolve('.'), shipped)).toEqual([]);
    expect(readFileSync('THIRD-PARTY-LICENSES.txt', 'utf8')).toBe(renderLicences(resolve('.'), shipped));
  });
});
