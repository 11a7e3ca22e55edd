import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks, PAGES, pageText, ROOT } from '../support/documents.ts';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const REPOSITORY_PATH = /`((?:src|test|scripts|docs|examples|bench)\/[^`\s*]*)`/g;

/** Targets of a page's anchors: headings as they are rendered, and explicit ids. */
function anchors(page: string): Set<string> {
  const text = pageText(page);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!)]);
}

/** A link as the page and the anchor that it leads to. */
function target(page: string, link: string): { file: string; anchor: string | undefined } {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  return { file: path === '' ? page : normalize(join(dirname(page), path)), anchor };
}

describe.each(PAGES)('%s', (page) => {
  it('links to files and headings that exist', () => {
    const broken = [...pageText(page).matchAll(LINK)]
      .map(([, link]) => link!)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const { file, anchor } = target(page, link);
        return !existsSync(ROOT + file) || (anchor !== undefined && !anchors(file).has(anchor));
      });
    expect(broken).toEqual([]);
  });

  it('names files of the repository that exist', () => {
    const missing = [...pageText(page).matchAll(REPOSITORY_PATH)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('<') && !existsSync(ROOT + path));
    expect(missing).toEqual([]);
  });

  it('names source files that exist, from src/ or the root', () => {
    const named = [...pageText(page).matchAll(/`([a-z0-9-]+\/[a-z0-9/.-]+\.ts)`/g)].map(([, path]) => path!);
    expect(named.filter((path) => !existsSync(ROOT + path) && !existsSync(`${ROOT}src/${path}`))).toEqual([]);
  });

  it('names scripts of package.json that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...pageText(page).matchAll(/`?npm run ([\w:]+)/g)].map(([, script]) => script!);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it('has code in fenced blocks only, where the tests of commands find it', () => {
    let fenced = false;
    const indented = pageText(page)
      .split('\n')
      .filter((line) => {
        if (line.startsWith('```')) fenced = !fenced;
        return !fenced && /^(?: {4}|\t)\s*\S/.test(line);
      });
    expect(indented).toEqual([]);
  });

  it('gives every block of code a language', () => {
    expect(codeBlocks(page).filter(({ language }) => language === '')).toEqual([]);
  });
});

describe('the documentation', () => {
  const AREAS = PAGES.filter(
    (page) => page.startsWith('docs/') && !['docs/README.md', 'docs/glossary.md'].includes(page),
  );

  it.each(AREAS)('has the same sections in %s as in other pages', (page) => {
    const sections = [...pageText(page).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);
    expect(sections.slice(0, 4)).toEqual(['What it does', 'How to use it', 'What differs', 'What bounds it']);
  });

  it('links every term of the glossary from a page', () => {
    const linked = new Set(
      PAGES.flatMap((page) =>
        [...pageText(page).matchAll(LINK)]
          .map(([, link]) => target(page, link!))
          .filter(({ file }) => file === 'docs/glossary.md')
          .map(({ anchor }) => anchor),
      ),
    );
    const terms = [...pageText('docs/glossary.md').matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!);
    expect(terms.filter((term) => !linked.has(term))).toEqual([]);
  });

  it.each([
    'resource kind',
    'flag',
    'authenticator',
    'authorizer',
    'admission plugin',
    'controller',
    'metric',
    'storage backend',
    'media type',
    'filter',
  ])('lists in CONTRIBUTING.md where to add a new %s', (name) => {
    const section =
      new RegExp(`\\n### An? ${name}\\n\\n((?:[^\\n#][^\\n]*\\n|\\n)+)`).exec(
        pageText('CONTRIBUTING.md'),
      )?.[1] ?? '';
    expect(section.match(/`src\/[^`]+`/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
    expect(section).toContain('`test/');
  });

  it('lists every page in docs/README.md', () => {
    const index = pageText('docs/README.md');
    for (const name of readdirSync(join(ROOT, 'docs'))) {
      if (name.endsWith('.md') && name !== 'README.md') expect(index).toContain(`(${name})`);
    }
  });

  it('reaches every page from CONTRIBUTING.md or README.md in three links', () => {
    let reached = new Set(['CONTRIBUTING.md', 'README.md']);
    for (let step = 0; step < 3; step += 1) {
      const next = [...reached].flatMap((page) =>
        [...pageText(page).matchAll(LINK)].map(([, link]) => target(page, link!).file),
      );
      reached = new Set([...reached, ...next.filter((file) => PAGES.includes(file))]);
    }
    expect([...PAGES].filter((page) => !reached.has(page))).toEqual([]);
  });
});

describe('package.json', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    files: string[];
    engines: { node: string };
    exports: Record<string, string | { types: string; default: string }>;
  };

  it('packs files that exist', () => {
    const present = manifest.files.filter((file) => file !== 'dist' && !file.startsWith('!'));
    expect(present.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(present).toEqual(expect.arrayContaining(['docs', 'examples', 'CHANGELOG.md', 'README.md']));
  });

  it('requires the version of Node.js that the program checks', () => {
    const [, major, minor] = /NEEDED = \[(\d+), (\d+)\]/.exec(
      readFileSync(join(ROOT, 'src/main.ts'), 'utf8'),
    )!;
    expect(manifest.engines.node).toBe(`>=${major}.${minor}`);
  });

  it('gives types to every entry', () => {
    const entries = Object.entries(manifest.exports).filter(([name]) => name !== './package.json');
    for (const [, entry] of entries)
      expect(entry).toMatchObject({ types: expect.stringMatching(/\.d\.ts$/) });
  });
});
