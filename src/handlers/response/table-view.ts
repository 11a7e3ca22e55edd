import type { CacheRecord } from '../../cache/record.ts';
import { escapeHtml } from '../../codec/json-string.ts';
import { writeJson } from '../../codec/json-write.ts';
import { AgeCell, type Cell, type TableDefinition } from '../../kinds/table.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { TypeModel } from '../../model/type-model.ts';
import { jsonText } from './answer.ts';
import { metadataDocument } from './metadata-view.ts';
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
  for (const [index, { record, revision }] of entries.entries()) {
    if (index > 0) yield COMMA;
    yield* tableRow(view, definition, record, revision);
  }
  yield ROWS_END;
}
const COMMA = Buffer.from(',');
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
}

/** The JSON of a cell; integers are exact. */
const cellJson = (cell: Exclude<Cell, AgeCell>): string =>
  typeof cell === 'bigint' ? String(cell) : jsonText(cell);

/** Formats a Table of objects that are not records (kinds without storage, Scale). */
export function plainTableJson(
  definition: TableDefinition,
  objects: readonly KubernetesObject[],
  { types, metaVersion, includeObject, objectJson, now }: PlainTableForm,
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
  return `${tableHead(metaVersion, definition, metadata, true)}"rows":[${rows.join(',')}]}`;
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

/** The JSON of a row up to its object: fixed pieces with an age cell between each two of them. */
interface RowMemo {
  readonly pieces: readonly Buffer[];
  readonly ages: readonly AgeCell[];
}

/**
 * Formats one row in parts. Cells are computed once per record, ages on every read.
 */
export function* tableRow(
  view: ViewContext,
  definition: TableDefinition,
  record: CacheRecord,
  revision: number,
): Generator<Uint8Array, void> {
  const { resource, includeObject, now } = view;
  const { pieces, ages } = resource.cachedEncoding<RowMemo>(record, resource.rowForm, () =>
    makeRow(definition, resource.rowObject(record)),
  );
  yield pieces[0]!;
  for (let index = 0; index < ages.length; index += 1) {
    yield Buffer.from(escapeHtml(JSON.stringify(ages[index]!.text(now))));
    yield pieces[index + 1]!;
  }
  if (includeObject === 'None') yield NULL;
  else if (includeObject === 'Object') yield withoutNewline(resource.json(record, revision));
  else yield* metadataDocument(view, record, revision);
  yield END;
}
const NULL = Buffer.from('null');
const END = Buffer.from('}');
const withoutNewline = (document: Uint8Array): Uint8Array => document.subarray(0, document.length - 1);

function makeRow(definition: TableDefinition, object: KubernetesObject): { value: RowMemo; bytes: number } {
  const pieces: Buffer[] = [];
  const ages: AgeCell[] = [];
  let text = '{"cells":[';
  definition.cells(object).forEach((cell, index) => {
    if (index > 0) text += ',';
    if (cell instanceof AgeCell) {
      pieces.push(Buffer.from(text));
      ages.push(cell);
      text = '';
    } else text += cellJson(cell);
  });
  const conditions = definition.conditions?.(object);
  text +=
    conditions === undefined || conditions.length === 0
      ? '],"object":'
      : `],"conditions":${jsonText(conditions)},"object":`;
  pieces.push(Buffer.from(text));
  return { value: { pieces, ages }, bytes: pieces.reduce((sum, { length }) => sum + length + 100, 100) };
}
