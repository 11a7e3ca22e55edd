import type { PodSpec } from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import type { MessageType } from '../../../schema/message.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';

/** Maximum length of a formatted value, in characters. */
const MAXIMUM_VALUE_LENGTH = 200;
/** Maximum number of lines; the rest of the diff is omitted. */
const MAXIMUM_LINES = 60;

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the diff of two specifications in kube-apiserver's notation: `-` for old values, `+` for new ones,
 * identical members as a count. The format is for humans and not stable.
 */
export function podSpecDiff(before: PodSpec, now: PodSpec): string {
  const lines: string[] = [];
  compareObjects(before as Members, now as Members, internalTypes.type('core_v1.PodSpec'), 1, lines);
  const visible =
    lines.length > MAXIMUM_LINES
      ? [...lines.slice(0, MAXIMUM_LINES), `  \t... // ${lines.length - MAXIMUM_LINES} more lines`]
      : lines;
  return ['  core.PodSpec{', ...visible, '  }', ''].join('\n');
}

const line = (sign: '-' | '+' | ' ', depth: number, text: string): string =>
  `${sign} ${'\t'.repeat(depth)}${text}`;
const goName = (member: string): string => `${member.slice(0, 1).toUpperCase()}${member.slice(1)}`;

function compareObjects(
  before: Members,
  now: Members,
  type: MessageType,
  depth: number,
  lines: string[],
): void {
  let identical = 0;
  const flush = (): void => {
    if (identical > 0)
      lines.push(line(' ', depth, `... // ${identical} identical field${identical === 1 ? '' : 's'}`));
    identical = 0;
  };
  for (const { name, shape, type: valueType } of type.jsonFields) {
    const [old, next] = [before[name], now[name]];
    if (semanticEqual({ [name]: old }, { [name]: next }, type)) {
      identical += 1;
      continue;
    }
    flush();
    const message = valueType.message;
    if (shape === 'list' && isList(old) && isList(next))
      compareLists(goName(name), { old, next }, message, depth, lines);
    else if (shape === 'single' && message?.form === 'object' && isJsonObject(old) && isJsonObject(next)) {
      lines.push(line(' ', depth, `${goName(name)}: {`));
      compareObjects(old, next, message, depth + 1, lines);
      lines.push(line(' ', depth, '},'));
    } else writeReplacement(`${goName(name)}: `, { old, next }, depth, lines);
  }
  flush();
}

function compareLists(
  name: string,
  { old, next }: { old: readonly unknown[]; next: readonly unknown[] },
  type: MessageType | undefined,
  depth: number,
  lines: string[],
): void {
  lines.push(line(' ', depth, `${name}: {`));
  let identical = 0;
  for (let index = 0; index < Math.max(old.length, next.length); index += 1) {
    const [one, other] = [old[index], next[index]];
    if (index < old.length && index < next.length && semanticEqual(one, other, type)) {
      identical += 1;
      continue;
    }
    if (identical > 0)
      lines.push(line(' ', depth + 1, `... // ${identical} identical element${identical === 1 ? '' : 's'}`));
    identical = 0;
    if (lines.length > MAXIMUM_LINES) break;
    if (type?.form === 'object' && isJsonObject(one) && isJsonObject(other)) {
      lines.push(line(' ', depth + 1, '{'));
      compareObjects(one, other, type, depth + 2, lines);
      lines.push(line(' ', depth + 1, '},'));
    } else {
      if (index < old.length) lines.push(line('-', depth + 1, `${formatValue(one)},`));
      if (index < next.length) lines.push(line('+', depth + 1, `${formatValue(other)},`));
    }
  }
  if (identical > 0)
    lines.push(line(' ', depth + 1, `... // ${identical} identical element${identical === 1 ? '' : 's'}`));
  lines.push(line(' ', depth, '},'));
}

/** Appends the old and new value. Long values are cut to the part around the first difference. */
function writeReplacement(
  head: string,
  { old, next }: { old: unknown; next: unknown },
  depth: number,
  lines: string[],
): void {
  const [before, now] = [formatValue(old), formatValue(next)];
  let common = 0;
  while (common < before.length && before[common] === now[common]) common += 1;
  const start = common < MAXIMUM_VALUE_LENGTH / 2 ? 0 : common - MAXIMUM_VALUE_LENGTH / 2;
  const cut = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + MAXIMUM_VALUE_LENGTH)}${text.length > start + MAXIMUM_VALUE_LENGTH ? '…' : ''}`;
  lines.push(line('-', depth, `${head}${cut(before)},`), line('+', depth, `${head}${cut(now)},`));
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `{${value.map(formatValue).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${goName(name)}: ${formatValue(member)}`).join(', ')}}`;
}
