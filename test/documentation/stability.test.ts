import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { dataPaths } from '../../src/files/data-directory.ts';
import { OPTION_BY_FLAG } from '../../src/options/flags/table.ts';
import { pageText, ROOT } from '../support/documents.ts';

const page = pageText('docs/stability.md');

/** The text below a heading. */
const section = (heading: string) => new RegExp(`\n### ${heading}\n([^]*?)(?=\n##|$)`).exec(page)![1]!;

/** The names in the first column of the table below a heading. */
const rows = (heading: string) => [...section(heading).matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!);

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));

/** The names that a module exports. */
function exportsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2022, true);
  return source.statements.flatMap((statement) => {
    if (typescript.isExportDeclaration(statement))
      return (statement.exportClause as typescript.NamedExports).elements.map(({ name }) => name.text);
    const declared = statement as Partial<typescript.InterfaceDeclaration>;
    const isExported = declared.modifiers?.some(({ kind }) => kind === typescript.SyntaxKind.ExportKeyword);
    return isExported ? [declared.name!.text] : [];
  });
}

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/** The flags that a program lists with `--help`. */
const flagsOf = (program: string): string[] =>
  readFileSync(join(ROOT, `test/fixtures/${program}-flags.txt`), 'utf8')
    .trim()
    .split('\n');

describe('docs/stability.md', () => {
  it('has every flag that no program of a Kubernetes control plane has', () => {
    const theirs = new Set(PROGRAMS.flatMap(flagsOf));
    const own = [...OPTION_BY_FLAG.keys()].filter((flag) => !theirs.has(flag)).sort();
    expect(rows('Flags')).toEqual(own.map((flag) => `--${flag}`));
  });

  it('has every command', () => {
    expect(rows('Commands')).toEqual([...COMMANDS.keys()].sort().map((name) => `binnacle ${name}`));
  });

  it('has every part of the data directory', () => {
    const parts = Object.values(dataPaths('')).map((path) => path.replace(/^\//, ''));
    expect(rows('Files').map((name) => name.replace(/\/$/, ''))).toEqual(parts.sort());
  });

  it('has every metric of its own', () => {
    const names = new Set(files.flatMap((text) => text.match(/\bbinnacle_[a-z_]+/g) ?? []));
    expect(rows('Metrics')).toEqual([...names].sort());
  });

  it('is right about the annotations and labels of its own', () => {
    const keys = files.flatMap(
      (text) => text.match(/['"`][a-z0-9.-]*binnacle[a-z0-9-]*\.[a-z.]+\/[a-z]/g) ?? [],
    );
    expect(keys.filter((key) => !key.slice(1).startsWith('sim.binnacle.dev/'))).toEqual([]);
  });

  it.each([
    ['binnacle', 'src/index.ts'],
    ['binnacle/testing', 'src/testing/index.ts'],
    ['binnacle/cel', 'src/cel/index.ts'],
  ])('has every name that %s exports, at one level', (module, file) => {
    const names = section('Library')
      .split(/\n- |\n\n/)
      .filter((text) => text.startsWith(`\`${module}\`, `))
      .flatMap((text) => text.match(/(?<=`)[^`\s]+(?=`)/g)!.slice(1));
    expect([...names].sort()).toEqual([...exportsOf(file)].sort());
  });
});
