import type { Made } from '../../cache/encoding-cache.ts';
import type { CacheRecord } from '../../cache/record.ts';
import { escapeHtml } from '../../codec/json-string.ts';
import { writeJson } from '../../codec/json-write.ts';
import { AgeCell, type Cell, type TableDefinition } from '../../kinds/table.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { TypeModel } from '../../model/type-model.ts';
import { jsonText } from './answer.ts';
import { metadataHeadText, metadataRowEnd } from './metadata-view.ts';
import type { IncludeObject, ListMetadata, ViewContext } from './view-context.ts';

/** Formats a Table of records as JSON. @param withColumns false after the first event of a watch */
export function tableJson(
  view: ViewContext,
  entries: readonly { record: CacheRecord; revision: number }[],
  metadata: ListMetadata,
  withColumns: boolean,
): string {
  return Buffer.concat([...tableParts(view, entries, metadata, withColumns)]).toString();
}

/** The JSON of {@link tableJson} in parts, whose large records are prepared. */
export function* tableParts(
  view: ViewContext,
  entries: readonly { record: CacheRecord; revision: number }[],
  metadata: ListMetadata,
  withColumns: boolean,
): Generator<Uint8Array, void> {
  const definition = view.resource.table;
  const head = tableHead(view.negotiated.metaVersion, definition, metadata, withColumns);
  yield Buffer.from(`${head}"rows":[`);
  for (const [index, { record, revision }] of entries.entries())
    yield* rowParts(view, definition, record, revision, index === 0);
  yield ROWS_END;
}
const ROWS_END = Buffer.from(']}');

/** The form of a Table of objects that are not records. */
export interface PlainTableForm {
  readonly types: TypeModel;
  readonly metaVersion: string;
  readonly includeObject: IncludeObject;
  /** Formats a whole object. */
  objectJson(object: KubernetesObject): string;
  /** Wall clock in milliseconds. */
  readonly now: number;
  /** Default: true. */
  readonly withColumns?: boolean;
}

/** The JSON of a cell; integers are exact. */
const cellJson = (cell: Exclude<Cell, AgeCell>): string =>
  typeof cell === 'bigint' ? String(cell) : jsonText(cell);

/** Formats a Table of objects that are not records (kinds without storage, Scale). */
export function plainTableJson(
  definition: TableDefinition,
  objects: readonly KubernetesObject[],
  { types, metaVersion, includeObject, objectJson, now, withColumns = true }: PlainTableForm,
): string {
  const metadata =
    objects.length === 1 && objects[0]!.metadata?.resourceVersion !== undefined
      ? { resourceVersion: objects[0]!.metadata.resourceVersion }
      : {};
  const type = types.type('meta_v1.PartialObjectMetadata');
  const typeMeta = { apiVersion: `meta.k8s.io/${metaVersion}`, kind: 'PartialObjectMetadata' };
  const includedJson = (object: KubernetesObject): string => {
    if (includeObject === 'None') return 'null';
    if (includeObject === 'Object') return objectJson(object);
    return writeJson(type, { metadata: object.metadata ?? {} }, typeMeta);
  };
  const rows = objects.map((object) => {
    const cells = definition
      .cells(object)
      .map((cell) => cellJson(cell instanceof AgeCell ? cell.text(now) : cell));
    return `{"cells":[${cells.join(',')}],"object":${includedJson(object)}}`;
  });
  return `${tableHead(metaVersion, definition, metadata, withColumns)}"rows":[${rows.join(',')}]}`;
}

/** Formats a Table up to its rows; ends with a comma. */
export function tableHead(
  metaVersion: string,
  definition: TableDefinition,
  metadata: ListMetadata,
  withColumns: boolean,
): string {
  const columns = withColumns
    ? jsonText(
        definition.columns.map(({ name, type, format, description, priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        })),
      )
    : 'null';
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${JSON.stringify(metadata)},"columnDefinitions":${columns},`;
}

/** A row up to its object, with what depends on the request. */
interface ShownRow {
  readonly ages: string;
  /** The beginning of the object. */
  readonly object: string;
  readonly bytes: Uint8Array;
}

/** The JSON of a row up to its object: fixed pieces with an age cell between each two of them. */
interface RowMemo {
  readonly pieces: readonly string[];
  readonly ages: readonly AgeCell[];
  /** The row as it was shown last. */
  shown: ShownRow | undefined;
}

/** A row without the object of its record. */
const WITHOUT_OBJECT = 'null}';
const END = Buffer.from('}');

/**
 * Formats one row in parts. Cells are computed once per record, ages on every read.
 * @param isFirst whether no comma precedes it
 */
export function rowParts(
  view: ViewContext,
  definition: TableDefinition,
  record: CacheRecord,
  revision: number,
  isFirst: boolean,
): readonly Uint8Array[] {
  const { resource, includeObject, now, negotiated } = view;
  const memo = resource.cachedEncoding<RowMemo>(record, resource.rowForm, () =>
    makeRow(definition, resource.rowObject(record)),
  );
  if (includeObject === 'None') return [shownRow(memo, now, WITHOUT_OBJECT, isFirst)];
  if (includeObject === 'Object')
    return [shownRow(memo, now, '', isFirst), withoutNewline(resource.json(record, revision)), END];
  const head = metadataHeadText(negotiated.metaVersion);
  return [shownRow(memo, now, head, isFirst), metadataRowEnd(resource, record, revision)];
}
const withoutNewline = (document: Uint8Array): Uint8Array => document.subarray(0, document.length - 1);

/** The row with its present ages up to its object, and the beginning of that. */
function shownRow(memo: RowMemo, now: number, object: string, isFirst: boolean): Uint8Array {
  const texts = memo.ages.map((age) => escapeHtml(JSON.stringify(age.text(now))));
  const ages = texts.join();
  if (memo.shown?.ages !== ages || memo.shown.object !== object) {
    const bytes = Buffer.from(
      `,${memo.pieces.map((piece, at) => piece + (texts[at] ?? '')).join('')}${object}`,
    );
    memo.shown = { ages, object, bytes };
  }
  const { bytes } = memo.shown;
  return isFirst ? bytes.subarray(1) : bytes;
}

function makeRow(definition: TableDefinition, object: KubernetesObject): Made<RowMemo> {
  const pieces: string[] = [];
  const ages: AgeCell[] = [];
  let text = '{"cells":[';
  definition.cells(object).forEach((cell, index) => {
    if (index > 0) text += ',';
    if (cell instanceof AgeCell) {
      pieces.push(text);
      ages.push(cell);
      text = '';
    } else text += cellJson(cell);
  });
  const conditions = definition.conditions?.(object);
  text +=
    conditions === undefined || conditions.length === 0
      ? '],"object":'
      : `],"conditions":${jsonText(conditions)},"object":`;
  pieces.push(text);
  // The texts, up to two bytes for each character, and the bytes that are shown.
  const bytes = pieces.reduce((sum, { length }) => sum + 3 * length + 50, 300);
  return { value: { pieces, ages, shown: undefined }, bytes };
}
