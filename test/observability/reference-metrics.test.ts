import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizationMetrics } from '../../src/observability/metrics-authorization.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { encryptionMetrics } from '../../src/observability/metrics-encryption.ts';
import { podSecurityMetrics } from '../../src/observability/metrics-pod-security.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/metrics');

/** A metric of kube-apiserver 1.32. */
interface ReferenceMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly stability: string;
}

const REFERENCE = readFileSync(join(FIXTURES, 'reference.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): ReferenceMetric => {
    const [name = '', type = '', labels = '', stability = ''] = line.split('\t');
    return {
      name,
      type,
      labels: labels.split(',').filter((label) => label !== '' && label !== 'quantile'),
      stability,
    };
  });
const ABSENT = JSON.parse(readFileSync(join(FIXTURES, 'absent.json'), 'utf8')) as {
  /** Patterns of names by the reason why a metric has no meaning here. */
  readonly withoutMeaning: Readonly<Record<string, readonly string[]>>;
  /** Patterns of names that have a meaning and no series yet. */
  readonly notMeasured: readonly string[];
};
const PATTERNS = [...Object.values(ABSENT.withoutMeaning).flat(), ...ABSENT.notMeasured];

/** Whether a name fits a pattern whose `*` stands for any text. */
function fits(name: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.at(-1) ?? '';
  if (rest.length === 0) return name === pattern;
  return (
    name.startsWith(start) && name.endsWith(end) && rest.slice(0, -1).every((part) => name.includes(part))
  );
}

describe("kube-apiserver's metrics", () => {
  let cluster: TestCluster;
  const served = new Map<string, string>();
  const { registry, indicators } = createServerMetrics();
  // Those of parts that exist with their flags only.
  for (const declare of [authorizationMetrics, encryptionMetrics, podSecurityMetrics]) declare(registry);
  const declared = new Map(
    [...registry.collected(), ...indicators.collected()].map(({ declaration, type }) => [
      declaration.name,
      { declaration, type },
    ]),
  );

  beforeAll(async () => {
    // Deprecated metrics are hidden otherwise.
    cluster = await startCluster({ showHiddenMetricsForVersion: '1.31' });
    // A consistent read.
    await (await cluster.fetch('/api/v1/namespaces')).text();
    const text = await (await cluster.fetch('/metrics')).text();
    for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) served.set(name, type);
  });
  afterAll(() => cluster?.stop());

  it('exist here, or a reason says why not', () => {
    const unknown = REFERENCE.filter(
      ({ name }) =>
        !served.has(name) && !declared.has(name) && !PATTERNS.some((pattern) => fits(name, pattern)),
    );
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it('have no reason for absence that fits nothing', () => {
    const absent = REFERENCE.filter(({ name }) => !served.has(name) && !declared.has(name));
    expect(PATTERNS.filter((pattern) => !absent.some(({ name }) => fits(name, pattern)))).toEqual([]);
  });

  it('have their type, labels and stability here', () => {
    const differing = REFERENCE.flatMap(({ name, type, labels, stability }) => {
      const own = declared.get(name);
      if (own === undefined) return served.get(name) === undefined || served.get(name) === type ? [] : [name];
      const level = own.declaration.stability ?? 'ALPHA';
      const ownLabels = [...(own.declaration.labels ?? [])].sort();
      // Labels without a recorded series are unknown.
      const isSame =
        own.type === type &&
        (stability === '-' || level === stability) &&
        (labels.length === 0 || ownLabels.join() === [...labels].sort().join());
      return isSame ? [] : [`${name} ${own.type} ${level} ${ownLabels}`];
    });
    expect(differing).toEqual([]);
  });
});
