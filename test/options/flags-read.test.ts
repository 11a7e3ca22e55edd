import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { FEATURE_GATES } from '../../src/model/feature-gates.ts';
import { GATES_READ } from '../../src/model/gates/gates-read.ts';
import { MetricsRegistry } from '../../src/observability/metrics.ts';
import { authenticationMetrics } from '../../src/observability/metrics-authentication.ts';
import { authorizationMetrics } from '../../src/observability/metrics-authorization.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { encryptionMetrics } from '../../src/observability/metrics-encryption.ts';
import { AUDITING } from '../../src/options/flags/auditing.ts';
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
const CHECKED_ONLY = new Set<OptionName>(['auditLogVersion', 'auditWebhookVersion']);

/** The names in the option slices of a file: `OptionSlice<'a' | 'b'>`, or a whole section of the flag table. */
function slicesOf(file: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: typescript.Node): void => {
    if (typescript.isTypeReferenceNode(node)) {
      const name = node.typeName.getText();
      if (name === 'OptionSlice')
        for (const [, option] of node.getText().matchAll(/'(\w+)'/g)) names.add(option!);
      if (name === 'AuditOptions') for (const option of Object.keys(AUDITING)) names.add(option);
    }
    typescript.forEachChild(node, visit);
  };
  visit(typescript.createSourceFile(file, readFileSync(file, 'utf8'), typescript.ScriptTarget.ES2022, true));
  return names;
}

describe('option slices', () => {
  const slices = files
    .filter((file) => !file.startsWith('options/'))
    .map((file) => [file, slicesOf(join(SOURCE, file))] as const)
    .filter(([, names]) => names.size > 0);

  it.each(slices)('%s reads every option of its slice', (file, names) => {
    const read = namesRead(join(SOURCE, file));
    expect([...names].filter((name) => !read.has(name) && !CHECKED_ONLY.has(name as OptionName))).toEqual([]);
  });

  it('contain every option that the configuration does not derive other values from', () => {
    const derived = namesRead(join(SOURCE, 'options/options.ts'));
    for (const file of ['options/admission-plugins.ts', 'options/documents/check.ts'])
      for (const name of namesRead(join(SOURCE, file))) derived.add(name);
    const owned = new Set(slices.flatMap(([, names]) => [...names]));
    const options = (Object.keys(FLAGS) as OptionName[]).filter(
      (option) => flagOf(option).effect === undefined,
    );
    expect(options.filter((option) => !owned.has(option) && !derived.has(option))).toEqual([]);
  });

  it('are the only way in which parts refer to the values of flags', () => {
    const outside = files.filter((file) => !/^(options|cli)\//.test(file));
    expect(outside.filter((file) => /\bFlagValues\b/.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual(
      [],
    );
    const computed = files.filter((file) =>
      /\b(values|options|flags)\[(?!['"\d])/.test(
        readFileSync(join(SOURCE, file), 'utf8').replaceAll(/values\[option\] !== initial/g, ''),
      ),
    );
    expect(computed.filter((file) => /^(options|composition|pki|server)/.test(file))).toEqual([]);
  });
});

describe('flags without effect', () => {
  it.each((Object.keys(FLAGS) as OptionName[]).filter((option) => flagOf(option).effect !== undefined))(
    '%s says why',
    (option) => {
      expect(flagOf(option).because).toMatch(/^\w.{10,}[^.]$/);
    },
  );
});

describe('feature gates', () => {
  it('are read by a part exactly if the reference page says so', () => {
    const texts = files
      .filter((file) => !/^(?:options|model)\/(?:feature-gate|gates\/)/.test(file))
      .map((file) => readFileSync(join(SOURCE, file), 'utf8'));
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(/'([A-Z]\w+)'/g)].map(([, name]) => name!)),
    );
    const read = FEATURE_GATES.filter((gate) => named.has(gate));
    expect(read).toEqual([...GATES_READ].sort());
  });
});

describe('metrics', () => {
  const read = readBy(['observability/']);
  const { registry: _registry, indicators: _indicators, ...metrics } = createServerMetrics();
  const declared = {
    ...metrics,
    ...authenticationMetrics(new MetricsRegistry()),
    ...authorizationMetrics(new MetricsRegistry()),
    ...encryptionMetrics(new MetricsRegistry()),
  };

  it.each(Object.keys(declared))('%s is updated by a part', (name) => {
    expect(read).toContain(name);
  });
});
