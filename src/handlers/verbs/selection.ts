import type { CacheRecord } from '../../cache/record.ts';
import type { RecordQuery } from '../../cache/record-query.ts';
import type { FieldSelector } from '../../model/field-selector.ts';
import { type LabelSelector, labelOf } from '../../model/label-selector.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import type { ListOptions } from './list-options.ts';

/** The records that a list or watch includes. */
export interface Selection {
  /** No filter: the count of the range is the count of the result. */
  readonly everything: boolean;
  matches(record: CacheRecord): boolean;
  /** Conditions that every included record fulfils, by which an index may find it. */
  readonly queries: readonly RecordQuery[];
}

/** Further conditions of a selector are of no use for an index. */
const MOST_QUERIES = 4;

const ALL: Selection = { everything: true, matches: () => true, queries: [] };

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
    queries: [...fieldQueries(resource, fieldSelector), ...labelQueries(labelSelector)].slice(
      0,
      MOST_QUERIES,
    ),
    matches: (record) =>
      (!hasLabels || labelSelector.matches(record.header.labels)) &&
      (!hasFields || fieldSelector.matches((field) => resource.fieldValue(record, field))),
  };
}

/** Names and namespaces are in the key, and need no index. */
const fieldQueries = (resource: ServedResource, { requirements }: FieldSelector): RecordQuery[] =>
  requirements
    .filter(({ field, operator }) => operator !== '!=' && !field.startsWith('metadata.'))
    .map(({ field, value }) => ({ ...resource.fieldText(field), value }));

const labelQueries = ({ requirements }: LabelSelector): RecordQuery[] =>
  requirements
    .filter(({ operator, values }) => ['=', '==', 'in'].includes(operator) && values.length === 1)
    .map(({ key, values }) => ({
      name: `label ${key}`,
      value: values[0]!,
      read: ({ header }) => labelOf(header.labels, key),
    }));
