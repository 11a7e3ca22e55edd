import { decodeEnvelope, encodeEnvelope } from '../codec/envelope.ts';
import { parseJson } from '../codec/json-parse.ts';
import { decodeMessage, encodeMessage } from '../codec/protobuf.ts';
import { fromPlain } from '../codec/typed.ts';
import { writeJson, writeJsonWithOffset } from '../codec/json-write.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import type { StorageRow } from './catalog.ts';

/** Turns a kind's objects into stored bytes and back: kube-apiserver's own value format. */
export interface StorageCodec {
  /** Stored bytes of an object; its resourceVersion is never stored. */
  encode(object: KubernetesObject): Uint8Array;
  /**
   * The object at a revision, in the storage version's in-memory form, with kind, apiVersion and resourceVersion.
   * @throws DecodeError when the bytes are damaged
   */
  decode(value: Uint8Array, revision: number): KubernetesObject;
}

export function storageCodec(row: StorageRow, kind: string, type: MessageType): StorageCodec {
  return row.encoding === 'json' ? jsonCodec(row.apiVersion, kind, type) : protobufCodec(row.apiVersion, kind, type);
}

function protobufCodec(apiVersion: string, kind: string, type: MessageType): StorageCodec {
  return {
    encode: (object) => encodeEnvelope(apiVersion, kind, encodeMessage(type, withoutResourceVersion(object))),
    decode(value, revision) {
      const object = decodeMessage(type, decodeEnvelope(value).raw) as KubernetesObject;
      return complete(object, apiVersion, kind, revision);
    },
  };
}

function jsonCodec(apiVersion: string, kind: string, type: MessageType): StorageCodec {
  return {
    encode: (object) => Buffer.from(`${writeJson(type, withoutResourceVersion(object), { apiVersion, kind })}\n`),
    decode: (value, revision) => complete(fromPlain(type, parseJson(value).value).value as KubernetesObject, apiVersion, kind, revision),
  };
}

function withoutResourceVersion(object: KubernetesObject): KubernetesObject {
  if (object.metadata?.resourceVersion === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

function complete(object: KubernetesObject, apiVersion: string, kind: string, revision: number): KubernetesObject {
  object.apiVersion = apiVersion;
  object.kind = kind;
  object.metadata ??= {};
  object.metadata.resourceVersion = String(revision);
  return object;
}

/** JSON of one object without TypeMeta, with the place where its resourceVersion stands. */
export interface JsonBody {
  readonly bytes: Uint8Array;
  /** Where `"resourceVersion":"…",` begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Encodes an object for views: without kind and apiVersion, with its revision; revision `0` (a dry run's new object) is not shown. */
export function encodeJsonBody(type: MessageType, object: KubernetesObject, revision: string): JsonBody {
  const { text: bytes, resourceVersionOffset } = writeJsonWithOffset(type, withoutResourceVersion(object));
  if (revision === '0' || resourceVersionOffset < 0) return { bytes, start: 0, end: 0 };
  const member = Buffer.from(`"resourceVersion":"${revision}",`);
  return { bytes: Buffer.concat([bytes.subarray(0, resourceVersionOffset), member, bytes.subarray(resourceVersionOffset)]), start: resourceVersionOffset, end: resourceVersionOffset + member.length };
}

/** The same body showing another revision (deletions show the revision of the deletion). */
export function atRevision(body: JsonBody, revision: string): Uint8Array {
  return Buffer.concat([body.bytes.subarray(0, body.start), Buffer.from(`"resourceVersion":"${revision}",`), body.bytes.subarray(body.end)]);
}
