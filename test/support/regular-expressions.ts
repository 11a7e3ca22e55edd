import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-6';
import { vi } from 'vitest';

/** A regular expression of the source and its location. */
export interface FoundPattern {
  readonly place: string;
  readonly pattern: RegExp;
}

/** A file that constructs expressions from strings. */
interface Found {
  readonly literals: FoundPattern[];
  /** Files with `new RegExp` (or `RegExp(…)`), and their number of uses. */
  readonly makers: Map<string, number>;
}

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** The expressions in a directory: literals, and the files that construct others. */
export function findPatterns(directory: string): Found {
  const literals: FoundPattern[] = [];
  const makers = new Map<string, number>();
  for (const path of sourceFiles(directory)) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('/') && !text.includes('RegExp')) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        literals.push({ place: `${path}:${line + 1}`, pattern: toRegExp(node.text) });
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(file) === 'RegExp'
      ) {
        makers.set(path, (makers.get(path) ?? 0) + 1);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals, makers };
}

/** The expressions that a file constructs from strings while it is loaded. */
export async function constructedPatterns(path: string): Promise<FoundPattern[]> {
  const constructed: FoundPattern[] = [];
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, parameters) {
        const pattern = Reflect.construct(target, parameters) as RegExp;
        constructed.push({ place: path, pattern });
        return pattern;
      },
    }),
  );
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href);
  } finally {
    vi.unstubAllGlobals();
  }
  return constructed;
}
