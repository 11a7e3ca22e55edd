import type { Collected, MetricsRegistry, Series } from './metrics.ts';

/** Content type of {@link exposition}, as the reference names it. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=values';

/** Every metric as text, format 0.0.4: metrics by name, series by label values, labels by name. */
export async function exposition(registry: MetricsRegistry): Promise<string> {
  const parts: string[] = [];
  for (const metric of registry.collected()) parts.push(await family(metric));
  return parts.join('');
}

async function family(metric: Collected): Promise<string> {
  const { name, help, stability = 'ALPHA', labels = [] } = metric.declaration;
  const order = labels.map((_label, index) => index).sort((left, right) => (labels[left]! < labels[right]! ? -1 : 1));
  const lines: [string, string][] = [];
  for (const [values, cell] of await seriesOf(metric)) {
    const shown = order.map((index) => `${labels[index]}="${escapeLabel(values[index]!)}"`).join(',');
    let text = '';
    for (const { suffix, value, bound } of cell.samples()) {
      const all = bound === undefined ? shown : `${shown}${shown === '' ? '' : ','}le="${formatNumber(bound)}"`;
      text += `${name}${suffix}${all === '' ? '' : `{${all}}`} ${formatNumber(value)}\n`;
    }
    lines.push([shown, text]);
  }
  lines.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  const title = `# HELP ${name} ${stability === '' ? '' : `[${stability}] `}${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${metric.type}\n`;
  return title + lines.map(([, text]) => text).join('');
}

/** A value that can't be read now is left out: the others are still worth having. */
async function seriesOf(metric: Collected): Promise<Iterable<Series>> {
  try {
    return await metric.series();
  } catch {
    return [];
  }
}

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escapeLabel = (value: string): string => (/[\\\n"]/.test(value) ? value.replace(/[\\\n"]/g, (character) => SPECIAL[character]!) : value);

/** The shortest form that reads back the same; with an exponent of two digits from 1e+06 up and below 1e-04. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  return power >= -4 && power < 6 ? String(value) : `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
