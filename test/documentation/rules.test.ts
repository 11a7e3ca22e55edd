import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript-6';
import { expect, it } from 'vitest';
import { ROOT } from '../support/documents.ts';
import { rulesOf } from '../support/rules.ts';

/** The names that a test file gives to `it` and `describe`. */
function namesIn(file: string): string[] {
  const source = typescript.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    typescript.ScriptTarget.ES2022,
    true,
  );
  const names: string[] = [];
  const visit = (node: typescript.Node): void => {
    if (typescript.isCallExpression(node) && ['it', 'describe'].includes(node.expression.getText())) {
      const [name] = node.arguments;
      if (name !== undefined && typescript.isStringLiteralLike(name)) names.push(name.text);
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

it('each rule of docs/start-contract.md is the name of a test, and the other way round', () => {
  const folder = join(ROOT, 'test/e2e');
  const files = readdirSync(folder).filter((name) => /^start-contract.*\.test\.ts$/.test(name));
  const rules = rulesOf('docs/start-contract.md');
  expect(rules.length).toBeGreaterThan(30);
  // Names of groups, and of cases in them, do not end like sentences.
  const names = files.flatMap((file) => namesIn(join(folder, file))).filter((name) => name.endsWith('.'));
  expect(names.sort()).toEqual([...rules].sort());
});
