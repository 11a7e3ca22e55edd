import type { CacheRecord } from '../../cache/record.ts';
import { encodeEnvelope } from '../../codec/envelope.ts';
import { metadataDocument, metadataMessage } from './metadata-view.ts';
import { tableJson } from './table-view.ts';
import type { ViewContext } from './view-context.ts';

/** Returns the complete JSON document of a record, with a newline. */
export function jsonDocument(view: ViewContext, record: CacheRecord, revision: number): Uint8Array {
  const {
    resource,
    negotiated: { projection, encoding },
    keep,
  } = view;
  if (projection === 'metadata') return Buffer.concat([...metadataDocument(view, record, revision), NEWLINE]);
  if (projection === 'table')
    return Buffer.from(
      `${tableJson(view, [{ record, revision }], { resourceVersion: String(revision) }, true)}\n`,
    );
  const exact = encoding === 'cbor' ? resource.exactDocument(record, revision) : undefined;
  return exact?.bytes ?? resource.json(record, revision, keep);
}
const NEWLINE = Buffer.from('\n');

/** Returns the protobuf envelope of a record. */
export function protobufDocument(view: ViewContext, record: CacheRecord, revision: number): Buffer {
  const {
    resource,
    negotiated: { projection, metaVersion },
  } = view;
  if (projection !== 'metadata')
    return encodeEnvelope(resource.apiVersion, resource.row.kind, resource.protobuf(record, revision));
  return encodeEnvelope(
    `meta.k8s.io/${metaVersion}`,
    'PartialObjectMetadata',
    metadataMessage(resource, record, revision),
  );
}

/** Returns one item of a JSON list, without its opening brace. */
export function jsonItem(view: ViewContext, record: CacheRecord): Uint8Array {
  const { resource, negotiated, keep } = view;
  if (negotiated.projection === 'object') {
    const exact =
      negotiated.encoding === 'cbor' ? resource.exactDocument(record, record.revision) : undefined;
    return exact === undefined
      ? resource.jsonMembers(record, keep)
      : exact.bytes.subarray(exact.membersStart, exact.bytes.length - 1);
  }
  const [head, body] = metadataDocument(view, record, record.revision);
  return Buffer.concat([head.subarray(1), body]);
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
