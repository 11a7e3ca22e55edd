import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Paths of the documentation pages, relative to the root. */
export const PAGES: readonly string[] = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'action/README.md',
    'examples/README.md',
  ],
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['go', 'java', 'python', 'rust'].map((language) => `wrappers/${language}/README.md`),
];

export const pageText = (page: string): string => readFileSync(`${ROOT}${page}`, 'utf8');

/** A fenced block of code in a page. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  /** The info string of the fence; empty if absent. */
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; language: string; lines: string[] } | undefined;
  for (const [index, line] of pageText(page).split('\n').entries()) {
    if (!line.startsWith('```')) open?.lines.push(line);
    else if (open === undefined) open = { line: index + 1, language: line.slice(3).trim(), lines: [] };
    else {
      blocks.push({ page, line: open.line, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  return blocks;
}
