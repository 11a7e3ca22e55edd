import type { CacheRecord } from '../../cache/record.ts';
import { writeJson } from '../../codec/json-write.ts';
import { encodeMessage } from '../../codec/protobuf.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import type { ViewContext } from './view-context.ts';

/** The JSON of a PartialObjectMetadata up to its metadata. */
export const metadataHeadText = (version: string): string =>
  version === 'v1' ? V1_HEAD_TEXT : headText(version);
const headText = (version: string): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}",`;
const V1_HEAD_TEXT = headText('v1');
const V1_HEAD = Buffer.from(V1_HEAD_TEXT);

/** Returns the parts of a record's PartialObjectMetadata in JSON. */
export function metadataDocument(
  { resource, negotiated: { metaVersion } }: ViewContext,
  record: CacheRecord,
  revision: number,
): [Uint8Array, Uint8Array] {
  const body = metadataBody(resource, record, revision);
  return [
    metaVersion === 'v1' ? V1_HEAD : Buffer.from(headText(metaVersion)),
    body.subarray(1, body.length - 1),
  ];
}

/** The rest of a table row after {@link metadataHeadText}. */
export const metadataRowEnd = (resource: ServedResource, record: CacheRecord, revision: number): Uint8Array =>
  metadataBody(resource, record, revision).subarray(1);

/**
 * Metadata of a record in metadata-only responses: that of the stored form, without additions of a
 * conversion.
 */
function servedMetadata(resource: ServedResource, record: CacheRecord): ObjectMeta | undefined {
  return shownMetadata(resource, resource.metadata(record));
}

function shownMetadata(
  { strategy }: ServedResource,
  metadata: ObjectMeta | undefined,
): ObjectMeta | undefined {
  const hidden = strategy.metadata?.bookkeepingAnnotations;
  if (hidden === undefined || metadata?.annotations === undefined) return metadata;
  const kept = Object.entries(metadata.annotations).filter(([key]) => !hidden.includes(key));
  return { ...metadata, annotations: kept.length === 0 ? undefined : Object.fromEntries(kept) };
}

/** Name of the cached `{"metadata":{…}}}`. */
export const BODY_FORM = 'metadata';

/** Returns `{"metadata":{…}}}` of a record, whose last brace ends a table row. */
function metadataBody(resource: ServedResource, record: CacheRecord, revision: number): Buffer {
  const make = () => encodedBody(resource, servedMetadata(resource, record), revision);
  return revision === record.revision ? resource.cachedEncoding(record, BODY_FORM, make) : make().value;
}

const atRevision = (metadata: ObjectMeta | undefined, revision: number): { metadata: ObjectMeta } => ({
  metadata: { ...metadata, resourceVersion: revision === 0 ? undefined : String(revision) },
});

function encodedBody(
  { types }: ServedResource,
  metadata: ObjectMeta | undefined,
  revision: number,
): { value: Buffer; bytes: number } {
  const type = types.type('meta_v1.PartialObjectMetadata');
  const value = Buffer.from(`${writeJson(type, atRevision(metadata, revision))}}`);
  return { value, bytes: value.length };
}

/** Encodes a record's PartialObjectMetadata as protobuf. */
export function metadataMessage(resource: ServedResource, record: CacheRecord, revision: number): Uint8Array {
  return encodedMessage(resource, servedMetadata(resource, record), revision);
}

const encodedMessage = (
  { types }: ServedResource,
  metadata: ObjectMeta | undefined,
  revision: number,
): Uint8Array => encodeMessage(types.type('meta_v1.PartialObjectMetadata'), atRevision(metadata, revision));

/** The text for a client that wants a list of metadata where there is one object. */
export const notAList = (group: string, kind: string, isUntyped = false): string =>
  `you requested PartialObjectMetadataList, but the requested object is not a list (${internalType(group, kind, isUntyped)})`;

/** The text for a client that wants the metadata of one object where there is a list. */
export const isAList = (group: string, listKind: string, isUntyped = false): string =>
  `you requested PartialObjectMetadata, but the requested object is a list (${internalType(group, listKind, isUntyped)})`;

/** The type of an object as kube-apiserver names it in errors: its internal one. */
function internalType(group: string, kind: string, isUntyped: boolean): string {
  if (isUntyped) return `*unstructured.Unstructured${kind.endsWith('List') ? 'List' : ''}`;
  return `*${group === '' ? 'core' : (INTERNAL_PACKAGES[group] ?? group.split('.', 1)[0])}.${kind}`;
}

/** Groups whose internal types are in a package of another name. */
const INTERNAL_PACKAGES: Readonly<Record<string, string>> = {
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};
