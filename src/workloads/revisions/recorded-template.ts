import { isDeepStrictEqual } from 'node:util';
import { writePlain } from '../../codec/json-plain.ts';
import type { ControllerRevision } from '../../model/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { jsonObject } from '../../model/json-object.ts';

/** What a revision records: a strategic merge patch of its owner that restores the template of Pods. */
export interface RecordedTemplate {
  readonly spec: { readonly template: PodTemplateSpec & { readonly $patch: 'replace' } };
}

/** @param template as the API has it, with defaults */
export const recordOf = (template: PodTemplateSpec): RecordedTemplate => ({
  spec: { template: { $patch: 'replace', ...(asDoubles(template) as PodTemplateSpec) } },
});

/** The reference reads integers as doubles when it makes the patch. Depth is bounded by codecs. */
function asDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]));
}

/** The text that kube-controller-manager stores for the same template. */
export const textOf = (recorded: RecordedTemplate): string => writePlain(recorded);

/** Whether a revision records a template. Members may have any order. */
export const records = ({ data }: ControllerRevision, recorded: RecordedTemplate): boolean =>
  isDeepStrictEqual(data, recorded);

/** The template that a revision restores; undefined if it has none. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec | undefined {
  const spec = jsonObject(jsonObject(data)?.['spec']);
  const template = jsonObject(spec?.['template']);
  if (template === undefined) return undefined;
  const { $patch: _, ...restored } = template;
  return restored as PodTemplateSpec;
}
