import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript';
import { describe, expect, it } from 'vitest';
import { MetricsRegistry } from '../../src/observability/metrics.ts';
import { authenticationMetrics } from '../../src/observability/metrics-authentication.ts';
import { authorizationMetrics } from '../../src/observability/metrics-authorization.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { FLAGS, flagOf, type OptionName } from '../../src/options/flags/table.ts';

const SOURCE = join(import.meta.dirname, '../../src');

/** Every name that a file reads as a property (`a.name`) or by destructuring (`{ name }`). */
function namesRead(file: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: typescript.Node): void => {
    if (typescript.isPropertyAccessExpression(node)) names.add(node.name.text);
    if (typescript.isBindingElement(node)) names.add((node.propertyName ?? node.name).getText());
    typescript.forEachChild(node, visit);
  };
  visit(typescript.createSourceFile(file, readFileSync(file, 'utf8'), typescript.ScriptTarget.ES2022, true));
  return names;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const readBy = (excluded: readonly string[]): Set<string> =>
  new Set(
    files
      .filter((file) => !excluded.some((folder) => file.startsWith(folder)))
      .flatMap((file) => [...namesRead(join(SOURCE, file))]),
  );

describe('flags', () => {
  const read = readBy(['options/flags/', 'options/validation/']);
  const options = Object.keys(FLAGS) as OptionName[];

  const marked = (option: OptionName): boolean => flagOf(option).effect !== undefined;

  it.each(options.filter((option) => !marked(option) && !CHECKED_ONLY.has(option)))(
    '%s is read by a part',
    (option) => {
      expect(read).toContain(option);
    },
  );

  it.each(options.filter((option) => marked(option) && !CHECKED_ONLY.has(option)))(
    '%s has no effect, and no part reads it',
    (option) => expect(read).not.toContain(option),
  );
});

/** Only validated at the start: the only supported versions, and a file for an unsupported feature. */
const CHECKED_ONLY = new Set<OptionName>(['auditLogVersion', 'auditWebhookVersion', 'tracingConfigFile']);

describe('metrics', () => {
  const read = readBy(['observability/']);
  const { registry: _registry, indicators: _indicators, ...metrics } = createServerMetrics();
  const declared = {
    ...metrics,
    ...authenticationMetrics(new MetricsRegistry()),
    ...authorizationMetrics(new MetricsRegistry()),
  };

  it.each(Object.keys(declared))('%s is updated by a part', (name) => {
    expect(read).toContain(name);
  });
});
