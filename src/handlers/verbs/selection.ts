import type { CacheRecord } from '../../cache/record.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { ListOptions } from './list-options.ts';

/** Which records a list or watch shows. */
export interface Selection {
  /** Nothing is filtered out: counts of the range are counts of the result. */
  readonly everything: boolean;
  matches(record: CacheRecord): boolean;
}

const ALL: Selection = { everything: true, matches: () => true };

/** The selection of the options' selectors; what a field holds is the served version's affair. */
export function selectionOf(
  resource: ServedResource,
  { labelSelector, fieldSelector }: ListOptions,
): Selection {
  const hasLabels = labelSelector.requirements.length > 0;
  const hasFields = fieldSelector.requirements.length > 0;
  if (!hasLabels && !hasFields) return ALL;
  return {
    everything: false,
    matches: (record) =>
      (!hasLabels || labelSelector.matches(record.header.labels)) &&
      (!hasFields || fieldSelector.matches((field) => resource.fieldValue(record, field))),
  };
}
