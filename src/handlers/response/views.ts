import type { CacheRecord } from '../../cache/record.ts';
import { encodeEnvelope } from '../../codec/envelope.ts';
import type { JsonDocument } from '../../resources/kind-codec.ts';
import type { PreparationNeeds } from '../../resources/served-resource.ts';
import type { Steps } from '../../steps/steps.ts';
import { BODY_FORM, metadataDocument, metadataMessage } from './metadata-view.ts';
import { tableParts } from './table-view.ts';
import type { ViewContext } from './view-context.ts';

/**
 * Makes what the functions of this module need of a large record, in steps: they take no time with the result.
 * Undefined where they do not take long anyway. @throws CorruptObjectError
 */
export function prepared(
  view: ViewContext,
  record: CacheRecord,
  revision = record.revision,
): Steps<CacheRecord> | undefined {
  return view.resource.isLarge(record)
    ? view.resource.prepare(record, needsOf(view, record, revision))
    : undefined;
}

function needsOf(view: ViewContext, record: CacheRecord, revision: number): PreparationNeeds {
  const { resource, negotiated, includeObject, keep } = view;
  const { projection, encoding } = negotiated;
  const lacksMetadata = (): boolean =>
    encoding === 'protobuf' || revision !== record.revision || !resource.hasEncoding(record, BODY_FORM);
  if (projection === 'object')
    return encoding === 'protobuf'
      ? { served: !resource.storesServedMessages, keep }
      : { document: true, keep };
  if (projection !== 'table') return { working: lacksMetadata(), keep };
  const lacksRow = !resource.hasEncoding(record, resource.rowForm);
  const { isUntyped } = resource.schema;
  return {
    working: (lacksRow && !isUntyped) || (includeObject === 'Metadata' && lacksMetadata()),
    served: lacksRow && isUntyped,
    document: includeObject === 'Object',
    keep: true,
  };
}

/** Returns the complete JSON document of a record, with a newline. */
export function jsonDocument(view: ViewContext, record: CacheRecord, revision: number): Uint8Array {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection === 'metadata')
    return Buffer.concat([...metadataDocument(view, record, revision), NEWLINE]);
  if (negotiated.projection === 'table')
    return Buffer.concat([...oneRowTable(view, record, revision), NEWLINE]);
  return exactDocument(view, record, revision)?.bytes ?? resource.json(record, revision, keep);
}
const NEWLINE = Buffer.from('\n');

const oneRowTable = (view: ViewContext, record: CacheRecord, revision: number): Iterable<Uint8Array> =>
  tableParts(view, [{ record, revision }], { resourceVersion: String(revision) }, true);

/** The document for CBOR, where it differs from the JSON. */
const exactDocument = (
  { resource, negotiated }: ViewContext,
  record: CacheRecord,
  revision: number,
): JsonDocument | undefined =>
  negotiated.encoding === 'cbor' ? resource.exactDocument(record, revision) : undefined;

/** Returns the protobuf envelope of a record. */
export function protobufDocument(view: ViewContext, record: CacheRecord, revision: number): Buffer {
  const { resource, negotiated } = view;
  return negotiated.projection === 'metadata'
    ? metadataEnvelope(view, metadataMessage(resource, record, revision))
    : encodeEnvelope(resource.apiVersion, resource.row.kind, resource.protobuf(record, revision));
}

const metadataEnvelope = ({ negotiated: { metaVersion } }: ViewContext, message: Uint8Array): Buffer =>
  encodeEnvelope(`meta.k8s.io/${metaVersion}`, 'PartialObjectMetadata', message);

/** Returns one item of a JSON list, without its opening brace. */
export function jsonItem(view: ViewContext, record: CacheRecord): Uint8Array {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection !== 'object')
    return metadataItem(metadataDocument(view, record, record.revision));
  return exactItem(view, record) ?? resource.jsonMembers(record, keep);
}

const metadataItem = ([head, body]: [Uint8Array, Uint8Array]): Uint8Array =>
  Buffer.concat([head.subarray(1), body]);

function exactItem(view: ViewContext, record: CacheRecord): Uint8Array | undefined {
  const exact = exactDocument(view, record, record.revision);
  return exact?.bytes.subarray(exact.membersStart, exact.bytes.length - 1);
}

/** Returns one item of a protobuf list. */
export function protobufItem(view: ViewContext, record: CacheRecord): Uint8Array {
  return view.negotiated.projection === 'object'
    ? view.resource.protobuf(record, record.revision)
    : metadataMessage(view.resource, record, record.revision);
}

/** Returns kind and apiVersion of a list of this form. */
export function listType({ resource, negotiated: { projection, metaVersion } }: ViewContext): {
  kind: string;
  apiVersion: string;
} {
  return projection === 'object'
    ? { kind: resource.row.listKind, apiVersion: resource.apiVersion }
    : { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metaVersion}` };
}
