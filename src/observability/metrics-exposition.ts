import type { Cell } from './metric-cells.ts';
import type { Collected, Series } from './metric-family.ts';
import type { MetricsRegistry } from './metrics.ts';

/**
 * Content type of {@link exposition}, as in kube-apiserver.
 * @param escaping how its client library writes names; no name has characters that differ
 */
export const expositionType = (escaping: 'underscores' | 'values'): string =>
  `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`;

/** Series written between two opportunities to pause. */
const SERIES_AT_ONCE = 50;

/**
 * Writes all metrics in the text format 0.0.4: metrics by name, series by label values, labels by name.
 * @param pause called again and again; lets others run if this took long enough
 */
export async function exposition(
  registry: MetricsRegistry,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<string> {
  const parts: string[] = [];
  let series = 0;
  for (const metric of registry.collected()) {
    const { name, help, stability = 'ALPHA', deprecatedSince, isExperimental } = metric.declaration;
    const status = `${isExperimental ? 'EXPERIMENTAL: ' : ''}${stability === '' ? '' : `[${stability}] `}`;
    const text = (deprecatedSince === undefined ? help : `(Deprecated since ${deprecatedSince}) ${help}`)
      .replace(/\\/g, '\\\\')
      .replace(/\n/g, '\\n');
    const written = await sortedSeries(metric);
    if (written.length === 0) continue;
    parts.push(`# HELP ${name} ${status}${text}\n# TYPE ${name} ${metric.type}\n`);
    for (const [labels, cell] of written) {
      parts.push(seriesText(name, labels, cell, metric.type === 'summary' ? 'quantile' : 'le'));
      series += 1;
      if (series % SERIES_AT_ONCE === 0) await pause();
    }
  }
  return parts.join('');
}

/** Series with their formatted labels, sorted. */
async function sortedSeries(metric: Collected): Promise<[string, Cell][]> {
  const { labels = [] } = metric.declaration;
  const order = labels
    .map((_label, index) => index)
    .sort((left, right) => (labels[left]! < labels[right]! ? -1 : 1));
  const sorted: [string, Cell][] = [];
  for (const [values, cell] of await seriesOf(metric))
    sorted.push([order.map((index) => `${labels[index]}="${escapeLabel(values[index]!)}"`).join(','), cell]);
  return sorted.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}

function seriesText(name: string, labels: string, cell: Cell, boundLabel: 'le' | 'quantile'): string {
  const plain = labels === '' ? '' : `{${labels}}`;
  // The label of bounds stands last, whatever the others are.
  const before = `{${labels === '' ? '' : `${labels},`}${boundLabel}="`;
  let text = '';
  cell.visit((suffix, value, bound) => {
    text += `${name}${suffix}${bound === undefined ? plain : `${before}${formatNumber(bound)}"}`} ${formatNumber(value)}\n`;
  });
  return text;
}

/** A value that cannot be read is omitted; the others are still reported. */
async function seriesOf(metric: Collected): Promise<Iterable<Series>> {
  try {
    return await metric.series();
  } catch {
    return [];
  }
}

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escapeLabel = (value: string): string =>
  /[\\\n"]/.test(value) ? value.replace(/[\\\n"]/g, (character) => SPECIAL[character]!) : value;

/** The shortest form that round-trips; with an exponent of two digits from 1e+06 and below 1e-04. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
