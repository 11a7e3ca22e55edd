import type { CacheRecord } from '../../cache/record.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import type { ListOptions } from './list-options.ts';

/** The records that a list or watch includes. */
export interface Selection {
  /** No filter: the count of the range is the count of the result. */
  readonly everything: boolean;
  matches(record: CacheRecord): boolean;
}

const ALL: Selection = { everything: true, matches: () => true };

/** Creates the selection of label and field selectors; fields are read from the served version. */
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
