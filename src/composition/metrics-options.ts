import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { Life } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';
import { deprecatedBefore } from '../observability/deprecated-metrics.ts';
import type { AllowedLabels } from '../observability/metrics.ts';
import { createServerMetrics, type ServerMetrics } from '../observability/metrics-catalog.ts';
import { BY_KIND, BY_RESOURCE } from '../observability/resource-labels.ts';
import type { OptionSlice } from '../options/flags/table.ts';

type MetricsOptions = OptionSlice<
  'allowMetricLabels' | 'allowMetricLabelsManifest' | 'disabledMetrics' | 'showHiddenMetricsForVersion'
>;

/** The releases that count watch events by resource, and bodies by group and resource. */
const COUNTS_BY_RESOURCE: Life = { since: '1.34' };

const KEY = /^([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)$/;

/**
 * Creates the metrics of a server: hides deprecated ones unless `--show-hidden-metrics-for-version` shows
 * them, and those that are disabled. @throws ConfigurationError
 */
export async function openMetrics(values: MetricsOptions, { release, has }: Scheme): Promise<ServerMetrics> {
  const { major, minor } = release;
  const disabled = new Set(values.disabledMetrics);
  const isDeprecated =
    values.showHiddenMetricsForVersion === '' ? deprecatedBefore(Number(major), Number(minor)) : () => false;
  const metrics = createServerMetrics(
    (declaration) => disabled.has(declaration.name) || isDeprecated(declaration),
    await allowedLabels(values),
    has(COUNTS_BY_RESOURCE) ? BY_RESOURCE : BY_KIND,
  );
  metrics.registry.observeItself(disabled);
  return metrics;
}

/** The values of `--allow-metric-labels`, which replace those of the manifest. */
async function allowedLabels({
  allowMetricLabels,
  allowMetricLabelsManifest,
}: MetricsOptions): Promise<AllowedLabels> {
  const allowed = new Map<string, Map<string, ReadonlySet<string>>>();
  const add = (key: string, list: string): void => {
    const [, metric, label] = KEY.exec(key) ?? [];
    if (metric === undefined || label === undefined)
      throw new ConfigurationError(
        `--allow-metric-labels must be a list of metric,label=value,… but has ${JSON.stringify(key)}`,
      );
    const labels = allowed.get(metric) ?? new Map<string, ReadonlySet<string>>();
    labels.set(label, new Set(list.split(',').map((value) => value.trim())));
    allowed.set(metric, labels);
  };
  if (allowMetricLabelsManifest !== '')
    for (const [key, list] of await manifestEntries(allowMetricLabelsManifest)) add(key, list);
  for (const entry of allowMetricLabels) {
    const equals = entry.indexOf('=');
    add(equals < 0 ? entry : entry.slice(0, equals), equals < 0 ? '' : entry.slice(equals + 1));
  }
  return allowed;
}

async function manifestEntries(file: string): Promise<[string, string][]> {
  const { parseYaml } = await import('../codec/yaml.ts');
  const fail = (reason: string) =>
    new ConfigurationError(`failed to read allow list manifest ${file}: ${reason}`);
  let value: unknown;
  try {
    ({ value } = parseYaml(Buffer.from(readTextFile(file))));
  } catch (error) {
    throw fail((error as Error).message);
  }
  const entries = Object.entries((value as object | null) ?? {});
  if (entries.some(([, list]) => typeof list !== 'string')) throw fail('it must map metric,label to text');
  return entries as [string, string][];
}
