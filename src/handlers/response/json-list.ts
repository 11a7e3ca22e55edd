import type { CacheRecord } from '../../cache/record.ts';
import { parseJson, parsingJson } from '../../codec/json-parse.ts';
import { LazyList } from '../../codec/lazy-list.ts';
import { wrapDecodeError } from '../../resources/corrupt-object.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { type PartSteps, pausing, type Steps } from '../../steps/steps.ts';
import type { ListState } from '../verbs/read-state.ts';
import type { BodyParts } from './stream-parts.ts';
import { rowParts, tableHead } from './table-view.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';
import { jsonItem, listType, prepared } from './views.ts';

const FIRST = Buffer.from('{');
const NEXT = Buffer.from(',{');
const LIST_END = Buffer.from(']}\n');
const NULL_LIST_END = Buffer.from('null}\n');

/** Yields the parts of a JSON list; items come from the encoding cache of the records. */
export function* jsonList(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): PartSteps<Uint8Array> {
  const [head, end] = jsonFrame(view, metadata, hasNullItems(view, records));
  yield head;
  yield* jsonItems(view, records, true);
  yield end;
}

/** Like {@link jsonList}, for records that are read page by page. */
export async function* jsonPages(
  view: ViewContext,
  pages: ListState['pages'],
  metadata: ListMetadata,
): AsyncGenerator<BodyParts> {
  const [head, end] = jsonFrame(view, metadata);
  yield [head];
  let first = true;
  for await (const page of pages()) {
    yield jsonItems(view, page, first);
    if (page.length > 0) first = false;
  }
  yield [end];
}

/** Whether the list has the objects of a kind whose JSON has sorted members. */
export const showsSorted = ({ resource, negotiated }: ViewContext): boolean =>
  negotiated.projection === 'object' && resource.schema.isUntyped;

/** Whether the items of an empty list are null, as those of metadata are, and the rows of some tables. */
const hasNullItems = (
  { resource, negotiated: { projection } }: ViewContext,
  records: readonly CacheRecord[],
): boolean =>
  records.length === 0 &&
  (projection === 'metadata-list' || (projection === 'table' && resource.table.nullWhenEmpty === true));

/** Returns the JSON of a list before and after its items. */
export function jsonFrame(
  view: ViewContext,
  metadata: ListMetadata,
  nullItems = false,
): [head: Uint8Array, end: Uint8Array] {
  if (view.negotiated.projection === 'table') {
    const head = tableHead(view.negotiated.metaVersion, view.resource.table, metadata, true);
    return nullItems
      ? [Buffer.from(`${head}"rows":`), NULL_LIST_END]
      : [Buffer.from(`${head}"rows":[`), LIST_END];
  }
  const { kind, apiVersion } = listType(view);
  const metadataText = JSON.stringify(metadata);
  if (showsSorted(view))
    return [
      Buffer.from(`{"apiVersion":"${apiVersion}","items":[`),
      Buffer.from(`],"kind":"${kind}","metadata":${metadataText}}\n`),
    ];
  const head = `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${metadataText},"items":`;
  if (nullItems) return [Buffer.from(head), NULL_LIST_END];
  return [Buffer.from(`${head}[`), LIST_END];
}

/** Yields the items of a list. @param first whether it has no earlier ones */
export function* jsonItems(
  view: ViewContext,
  records: readonly CacheRecord[],
  first: boolean,
): PartSteps<Uint8Array> {
  const table = view.negotiated.projection === 'table' ? view.resource.table : undefined;
  const pace = new Pace(stepSizes.records);
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index]!;
    const next = !first || index > 0;
    if (pace.isPause()) yield;
    const steps = prepared(view, record);
    const shown = steps === undefined ? record : yield* pausing(steps);
    if (table !== undefined) yield* rowParts(view, table, shown, record.revision, !next);
    else {
      yield next ? NEXT : FIRST;
      yield wrapDecodeError(record.key, record.value, () => jsonItem(view, shown));
    }
  }
}

/** A list as plain data for encodings that need it; items are created during encoding. */
export function plainList(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
  transform?: Transform,
): object {
  if (view.negotiated.projection === 'table') {
    const definition = view.resource.table;
    const head = JSON.parse(
      `${tableHead(view.negotiated.metaVersion, definition, metadata, true)}"rows":null}`,
    ) as object;
    if (hasNullItems(view, records)) return head;
    return {
      ...head,
      rows: plainItems(view, records, (record) =>
        Buffer.concat(rowParts(view, definition, record, record.revision, true)),
      ),
    };
  }
  if (hasNullItems(view, records)) return { ...listType(view), metadata, items: null };
  return {
    ...listType(view),
    metadata,
    items: plainItems(
      view,
      records,
      (record) =>
        wrapDecodeError(record.key, record.value, () => Buffer.concat([FIRST, jsonItem(view, record)])),
      transform,
    ),
  };
}

function* plainItem(json: Uint8Array): Steps<unknown> {
  if (json.length <= stepSizes.objectBytes) return parseJson(json).value;
  yield;
  return (yield* parsingJson(json)).value;
}

type Transform = (item: unknown) => unknown;

/** The items of a list as plain data. @param write the JSON of a prepared record */
const plainItems = (
  view: ViewContext,
  records: readonly CacheRecord[],
  write: (record: CacheRecord) => Uint8Array,
  transform?: Transform,
): LazyList => new LazyList(records.length, lazyItems(view, records, write, transform));

function* lazyItems(
  view: ViewContext,
  records: readonly CacheRecord[],
  write: (record: CacheRecord) => Uint8Array,
  transform: Transform = (item) => item,
): PartSteps<unknown> {
  for (const record of records) {
    const steps = prepared(view, record);
    const shown = steps === undefined ? record : yield* pausing(steps);
    yield transform(yield* pausing(plainItem(write(shown))));
  }
}
