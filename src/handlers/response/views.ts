import type { CacheRecord } from '../../cache/record.ts';
import { encodeEnvelope } from '../../codec/envelope.ts';
import type { JsonDocument } from '../../registry/kind-codec.ts';
import { runNow } from '../../steps/run.ts';
import type { PartSteps, Steps } from '../../steps/steps.ts';
import {
  metadataDocument,
  metadataDocumentInSteps,
  metadataMessage,
  metadataMessageInSteps,
} from './metadata-view.ts';
import { collected } from './stream-parts.ts';
import { tableParts } from './table-view.ts';
import type { ViewContext } from './view-context.ts';

/** Returns the complete JSON document of a record, with a newline. */
export function jsonDocument(view: ViewContext, record: CacheRecord, revision: number): Uint8Array {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection === 'metadata')
    return Buffer.concat([...metadataDocument(view, record, revision), NEWLINE]);
  if (negotiated.projection === 'table')
    return Buffer.concat([runNow(collected(oneRowTable(view, record, revision))), NEWLINE]);
  return exactDocument(view, record, revision)?.bytes ?? resource.json(record, revision, keep);
}
const NEWLINE = Buffer.from('\n');

/** {@link jsonDocument} in steps of some milliseconds. */
export function* jsonDocumentInSteps(
  view: ViewContext,
  record: CacheRecord,
  revision: number,
): Steps<Uint8Array> {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection === 'metadata')
    return Buffer.concat([...(yield* metadataDocumentInSteps(view, record, revision)), NEWLINE]);
  if (negotiated.projection !== 'table')
    return (
      exactDocument(view, record, revision)?.bytes ?? (yield* resource.jsonInSteps(record, revision, keep))
    );
  return Buffer.concat([yield* collected(oneRowTable(view, record, revision)), NEWLINE]);
}

const oneRowTable = (view: ViewContext, record: CacheRecord, revision: number): PartSteps<Uint8Array> =>
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

/** {@link protobufDocument} in steps of some milliseconds. */
export function* protobufDocumentInSteps(
  view: ViewContext,
  record: CacheRecord,
  revision: number,
): Steps<Buffer> {
  return view.negotiated.projection === 'metadata'
    ? metadataEnvelope(view, yield* metadataMessageInSteps(view.resource, record, revision))
    : protobufDocument(view, record, revision);
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

/** {@link jsonItem} in steps of some milliseconds. */
export function* jsonItemInSteps(view: ViewContext, record: CacheRecord): Steps<Uint8Array> {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection !== 'object')
    return metadataItem(yield* metadataDocumentInSteps(view, record, record.revision));
  return exactItem(view, record) ?? (yield* resource.jsonMembersInSteps(record, keep));
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

/** {@link protobufItem} in steps of some milliseconds. */
export function* protobufItemInSteps(view: ViewContext, record: CacheRecord): Steps<Uint8Array> {
  return view.negotiated.projection === 'object'
    ? view.resource.protobuf(record, record.revision)
    : yield* metadataMessageInSteps(view.resource, record, record.revision);
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
