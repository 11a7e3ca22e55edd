import { concatRetained } from '../cache/encoding-cache.ts';
import { encodeEnvelope, envelopeMessage } from '../codec/envelope.ts';
import { parseStoredJson, parsingJson } from '../codec/json-parse.ts';
import { writingPlain } from '../codec/json-plain.ts';
import { type SplitJson, writeJson, writeJsonWithOffset, writingSplitJson } from '../codec/json-write.ts';
import { decodeMessage, decodingMessage, encodeMessage, encodingMessage } from '../codec/protobuf.ts';
import { decodingPlain, fromPlain, makingPlain, toPlain } from '../codec/typed.ts';
import type { StorageEncoding } from '../kinds/strategy.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import { runNow } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import type { StorageRow } from './resource-set.ts';

/** Encodes a kind's objects for storage in the format of kube-apiserver, and decodes them. */
export interface StorageCodec {
  /** Encodes an object for storage, without its resourceVersion. */
  encode(object: KubernetesObject): Uint8Array;
  /** {@link encode} in steps of some milliseconds, where one would be longer for a large object. */
  encoding?(object: KubernetesObject): Steps<Uint8Array>;
  /**
   * Decodes a stored object into the in-memory form of the storage version, with kind, apiVersion and
   * resourceVersion.
   * @throws DecodeError when the bytes are corrupt
   */
  decode(value: Uint8Array, revision: number): KubernetesObject;
  /** {@link decode} in steps of some milliseconds, where one would be longer for a large object. */
  decoding?(value: Uint8Array, revision: number): Steps<KubernetesObject>;
}

/** @param form the stored JSON, where it differs from the JSON of the type */
export function storageCodec(
  row: Pick<StorageRow, 'apiVersion' | 'encoding'>,
  kind: string,
  type: MessageType,
  form?: StorageEncoding,
): StorageCodec {
  return row.encoding === 'json'
    ? jsonCodec(row.apiVersion, kind, type, form)
    : protobufCodec(row.apiVersion, kind, type);
}

function protobufCodec(apiVersion: string, kind: string, type: MessageType): StorageCodec {
  return {
    encode: (object) => encodeEnvelope(apiVersion, kind, encodeMessage(type, withoutResourceVersion(object))),
    *encoding(object) {
      return encodeEnvelope(apiVersion, kind, yield* encodingMessage(type, withoutResourceVersion(object)));
    },
    decode(value, revision) {
      const object = decodeMessage(type, envelopeMessage(value)) as KubernetesObject;
      return complete(object, apiVersion, kind, revision);
    },
    *decoding(value, revision) {
      const object = (yield* decodingMessage(type, envelopeMessage(value))) as KubernetesObject;
      return complete(object, apiVersion, kind, revision);
    },
  };
}

type Plain = Record<string, unknown>;

function jsonCodec(
  apiVersion: string,
  kind: string,
  type: MessageType,
  form?: StorageEncoding,
): StorageCodec {
  const typeMeta = { apiVersion, kind };
  const bytesOf = (text: string): Uint8Array => Buffer.from(`${text}\n`);
  const writingStored = (plain: unknown): Steps<string> => writingPlain(form!.toStored(plain as Plain));
  const read = (value: Uint8Array): unknown => {
    const plain = parseStoredJson(value);
    return form === undefined ? plain : form.fromStored(plain as Plain);
  };
  return {
    ...(form === undefined
      ? { encode: (object) => bytesOf(writeJson(type, withoutResourceVersion(object), typeMeta)) }
      : {
          encode: (object) =>
            bytesOf(runNow(writingStored(toPlain(type, withoutResourceVersion(object), typeMeta)))),
          *encoding(object) {
            const plain = yield* makingPlain(type, withoutResourceVersion(object), typeMeta);
            yield;
            return bytesOf(yield* writingStored(plain));
          },
        }),
    decode: (value, revision) =>
      complete(fromPlain(type, read(value)).value as KubernetesObject, apiVersion, kind, revision),
    *decoding(value, revision) {
      const { value: parsed } = yield* parsingJson(value);
      const plain = form === undefined ? parsed : form.fromStored(parsed as Plain);
      yield;
      return complete((yield* decodingPlain(type, plain)).value, apiVersion, kind, revision);
    },
  };
}

function withoutResourceVersion(object: KubernetesObject): KubernetesObject {
  if (object.metadata?.resourceVersion === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

function complete(
  object: KubernetesObject,
  apiVersion: string,
  kind: string,
  revision: number,
): KubernetesObject {
  object.apiVersion = apiVersion;
  object.kind = kind;
  object.metadata ??= {};
  object.metadata.resourceVersion = String(revision);
  return object;
}

/**
 * JSON document of one object. GET responses send these bytes and lists embed a slice of them, so that
 * neither copies.
 */
export interface JsonDocument {
  /** `{"kind":…,"apiVersion":…,"metadata":{…}…}` and a newline. */
  readonly bytes: Uint8Array;
  /** Offset of the first member after kind and apiVersion. */
  readonly membersStart: number;
  /** Offsets of `"resourceVersion":"…",`; equal when it is absent. */
  readonly start: number;
  readonly end: number;
  /** The item of a list, once one has shown it: a view of {@link bytes}. */
  item?: Uint8Array;
}

/** Bytes of a document with its {@link JsonDocument.item}, for the bound of the cache. */
export const documentBytes = ({ bytes }: JsonDocument): number => bytes.length + 100;

const NEWLINE = Buffer.from('\n');

/** Encodes an object with its resource version; revision `0` (the new object of a dry run) has none. */
export function encodeJsonDocument(
  type: MessageType,
  object: KubernetesObject,
  typeMeta: { readonly apiVersion: string; readonly kind: string },
  revision: string,
): JsonDocument {
  const { text, resourceVersionOffset } = writeJsonWithOffset(type, withoutResourceVersion(object), typeMeta);
  const split = resourceVersionOffset >= 0 ? resourceVersionOffset : text.length;
  return joinDocument(
    { head: text.subarray(0, split), tail: [text.subarray(split)] },
    typeMeta,
    resourceVersionOffset >= 0 ? revision : '0',
  );
}

/** {@link encodeJsonDocument} in steps of some milliseconds. */
export function* writingJsonDocument(
  type: MessageType,
  object: KubernetesObject,
  typeMeta: { readonly apiVersion: string; readonly kind: string },
  revision: string,
): Steps<JsonDocument> {
  const parts = yield* writingSplitJson(type, withoutResourceVersion(object), typeMeta);
  return parts === undefined
    ? encodeJsonDocument(type, object, typeMeta, revision)
    : joinDocument(parts, typeMeta, revision);
}

function joinDocument(
  { head, tail }: SplitJson,
  typeMeta: { readonly apiVersion: string; readonly kind: string },
  revision: string,
): JsonDocument {
  const resourceVersion = revision === '0' ? EMPTY : Buffer.from(`"resourceVersion":"${revision}",`);
  return {
    bytes: concatRetained(head, resourceVersion, ...tail, NEWLINE),
    membersStart: `{"kind":"${typeMeta.kind}","apiVersion":"${typeMeta.apiVersion}",`.length,
    start: head.length,
    end: head.length + resourceVersion.length,
  };
}
const EMPTY = Buffer.alloc(0);

/**
 * Returns the document with another resource version. Responses to deletions contain the revision of the
 * deletion.
 */
export function atRevision({ bytes, start, end }: JsonDocument, revision: string): Uint8Array {
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(`"resourceVersion":"${revision}",`),
    bytes.subarray(end),
  ]);
}
