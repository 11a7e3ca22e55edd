import type { CacheRecord } from '../cache/record.ts';
import { encodeEnvelope } from '../codec/envelope.ts';
import { writeJson } from '../codec/json-write.ts';
import { encodeMessage } from '../codec/protobuf.ts';
import type { ObjectMeta } from '../model/object.ts';
import { kindType } from '../model/scheme.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Negotiated } from './negotiation.ts';
import { tableJson } from './table-view.ts';

/** Which part of the object a table row carries (`includeObject`). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How the objects of one answer look: encoding and projection, fixed once per request. */
export interface ViewContext {
  readonly resource: ServedResource;
  readonly negotiated: Negotiated;
  readonly includeObject: IncludeObject;
  /** Wall clock in milliseconds, for ages. */
  readonly now: number;
}

const headOf = (kind: string, apiVersion: string): Buffer => Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}",`);

/** The complete JSON document of a record, with its newline. */
export function jsonDocument(view: ViewContext, record: CacheRecord, revision: number): Uint8Array {
  const {
    resource,
    negotiated: { projection },
  } = view;
  if (projection === 'metadata') return Buffer.concat([...metadataDocument(view, record, revision), NEWLINE]);
  if (projection === 'table') return Buffer.from(`${tableJson(view, [{ record, revision }], { resourceVersion: String(revision) }, true)}\n`);
  return resource.json(record, revision);
}
const NEWLINE = Buffer.from('\n');

const metadataHeads = new Map<string, Buffer>();
function metadataHead(version: string): Buffer {
  let head = metadataHeads.get(version);
  if (head === undefined) {
    head = headOf('PartialObjectMetadata', `meta.k8s.io/${version}`);
    metadataHeads.set(version, head);
  }
  return head;
}

/** The parts of a record's PartialObjectMetadata in JSON. */
export function metadataDocument({ resource, negotiated: { metaVersion } }: ViewContext, record: CacheRecord, revision: number): [Uint8Array, Uint8Array] {
  return [metadataHead(metaVersion), metadataBody(resource, record, revision).subarray(1)];
}

/** Metadata of a record where it is shown alone. */
function shownMetadata(resource: ServedResource, record: CacheRecord): ObjectMeta | undefined {
  const { metadata } = resource.object(record);
  const hidden = resource.strategy.bookkeepingAnnotations;
  if (hidden === undefined || metadata?.annotations === undefined) return metadata;
  const kept = Object.entries(metadata.annotations).filter(([key]) => !hidden.includes(key));
  return { ...metadata, annotations: kept.length === 0 ? undefined : Object.fromEntries(kept) };
}

/** `{"metadata":{…}}` of a record. */
function metadataBody(resource: ServedResource, record: CacheRecord, revision: number): Buffer {
  const make = () => {
    const metadata = shownMetadata(resource, record);
    const text = writeJson(kindType('meta.k8s.io', 'v1', 'PartialObjectMetadata')!, {
      metadata: { ...metadata, resourceVersion: revision === 0 ? undefined : String(revision) },
    });
    const value = Buffer.from(text);
    return { value, bytes: value.length };
  };
  return revision === record.revision ? resource.memoised(record, 'metadata', make) : make().value;
}

/** The protobuf envelope of a record. */
export function protobufDocument(view: ViewContext, record: CacheRecord, revision: number): Buffer {
  const {
    resource,
    negotiated: { projection, metaVersion },
  } = view;
  if (projection !== 'metadata') return encodeEnvelope(resource.apiVersion, resource.row.kind, resource.protobuf(record, revision));
  return encodeEnvelope(`meta.k8s.io/${metaVersion}`, 'PartialObjectMetadata', metadataMessage(resource, record, revision));
}

function metadataMessage(resource: ServedResource, record: CacheRecord, revision: number): Uint8Array {
  const metadata = shownMetadata(resource, record);
  return encodeMessage(kindType('meta.k8s.io', 'v1', 'PartialObjectMetadata')!, {
    metadata: { ...metadata, resourceVersion: revision === 0 ? undefined : String(revision) },
  });
}

/** One item of a JSON list, without its opening brace. */
export function jsonItem(view: ViewContext, record: CacheRecord): Uint8Array {
  const {
    resource,
    negotiated: { projection, metaVersion },
  } = view;
  if (projection === 'object') return resource.jsonMembers(record);
  return Buffer.concat([metadataHead(metaVersion).subarray(1), metadataBody(resource, record, record.revision).subarray(1)]);
}

/** One item of a protobuf list. */
export function protobufItem(view: ViewContext, record: CacheRecord): Uint8Array {
  return view.negotiated.projection === 'object' ? view.resource.protobuf(record, record.revision) : metadataMessage(view.resource, record, record.revision);
}

/** kind and apiVersion of a list of these views. */
export function listType({ resource, negotiated: { projection, metaVersion } }: ViewContext): { kind: string; apiVersion: string } {
  return projection === 'object'
    ? { kind: resource.row.listKind, apiVersion: resource.apiVersion }
    : { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metaVersion}` };
}

export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}
