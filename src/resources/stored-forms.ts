import { DecodeError } from '../codec/decode-error.ts';
import { decodeEnvelope, envelopeHead, envelopeMessage, hasEnvelope } from '../codec/envelope.ts';
import { parseJson } from '../codec/json-parse.ts';
import { decodeMessage } from '../codec/protobuf.ts';
import type { StorageRow } from '../kinds/resource-row.ts';
import type { StoredCompletion } from '../kinds/strategy.ts';
import { type KubernetesObject, parseApiVersion } from '../model/object.ts';
import type { TypeModel } from '../model/type-model.ts';
import { startsWith } from '../storage/encryption/transformer.ts';
import type { StorageCodec } from './kind-codec.ts';
import type { ObjectSchema } from './object-schema.ts';
import type { VersionConversion } from './version-conversion.ts';

/** A version of a kind: conversion and schema. */
export interface KindVersion {
  readonly conversion: VersionConversion;
  readonly schema: ObjectSchema;
}

/** `{`, the first byte of stored JSON. */
const BRACE = 0x7b;

export interface WrittenFormOptions {
  readonly kind: string;
  readonly storage: StorageRow;
  readonly codec: StorageCodec;
  /** What kube-apiserver completes in stored objects besides the defaults. */
  readonly completion: StoredCompletion | undefined;
  /** Applies the defaults of the storage version in place; undefined where stored values need none. */
  readonly setDefaults: ((object: KubernetesObject) => void) | undefined;
  /** Whether these bytes are known to have the written form, because this process has just encoded them. */
  readonly isOwn: (value: Uint8Array) => boolean;
  readonly types: TypeModel;
  /** Returns a version of the kind, served or not. */
  readonly inVersion: (apiVersion: string) => KindVersion | undefined;
}

/**
 * Returns a function that converts stored bytes of a kind to the form that this server writes: values in JSON
 * instead of protobuf, values in another version of the kind, and values without the defaults of fields that
 * are newer than their writer. The same bytes are returned if they have that form already, or cannot be decoded.
 */
export function writtenForm({
  kind,
  storage,
  codec,
  completion,
  setDefaults,
  isOwn,
  types,
  inVersion,
}: WrittenFormOptions): (value: Uint8Array) => Uint8Array {
  const heads =
    storage.encoding === 'json'
      ? jsonHeads(storage.apiVersion, kind)
      : [typeMetaOf(storage.apiVersion, kind)];
  const convert = (value: Uint8Array): Uint8Array => {
    const object = hasEnvelope(value)
      ? fromEnvelope(value)
      : value[0] === BRACE
        ? fromJson(value)
        : undefined;
    return object === undefined ? value : codec.encode(object);
  };
  const fromEnvelope = (value: Uint8Array): KubernetesObject | undefined => {
    const { apiVersion, kind: stored, raw } = decodeEnvelope(value);
    if (stored !== kind || (apiVersion === storage.apiVersion && storage.encoding === 'protobuf'))
      return undefined;
    const parsed = parseApiVersion(apiVersion);
    const type = parsed && types.ofKind(parsed.group, parsed.version, kind);
    return type && working(apiVersion, () => decodeMessage(type, raw) as KubernetesObject);
  };
  const fromJson = (value: Uint8Array): KubernetesObject | undefined => {
    const plain = parseJson(value).value as { apiVersion?: unknown; kind?: unknown };
    const { apiVersion, kind: stored } = plain;
    if (stored !== kind || typeof apiVersion !== 'string') return undefined;
    if (apiVersion === storage.apiVersion && storage.encoding === 'json') return undefined;
    return working(apiVersion, ({ schema }) => schema.fromPlain(plain).value as KubernetesObject);
  };
  const working = (
    apiVersion: string,
    read: (version: KindVersion) => KubernetesObject,
  ): KubernetesObject | undefined => {
    const version = inVersion(apiVersion);
    if (version === undefined) return undefined;
    const object = read(version);
    object.metadata ??= {};
    version.conversion.setDefaults(object);
    completion?.complete(object);
    return version.conversion.toWorking(object);
  };
  const completed = (value: Uint8Array): Uint8Array => {
    const isIncomplete = completion?.isIncomplete(envelopeMessage(value)) === true;
    if (setDefaults === undefined && !isIncomplete) return value;
    const object = codec.decode(value, 0);
    setDefaults?.(object);
    if (isIncomplete) completion!.complete(object);
    const complete = codec.encode(object);
    if (isEqual(complete, value)) return value;
    // Encoding drops unknown fields: a value that differs only by these is kept as it is.
    return isIncomplete || !isEqual(complete, codec.encode(codec.decode(value, 0))) ? complete : value;
  };
  return (value) => {
    if (isOwn(value)) return value;
    const isWritten = heads.some((head) => startsWith(value, head));
    if (isWritten && completion === undefined && setDefaults === undefined) return value;
    try {
      return isWritten ? completed(value) : convert(value);
    } catch (error) {
      // The decoder of the kind reports it with the key.
      if (error instanceof DecodeError || error instanceof RangeError) return value;
      throw error;
    }
  };
}

const isEqual = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** The first bytes of stored JSON: the members of the type in the order of the type, or sorted. */
const jsonHeads = (apiVersion: string, kind: string): Buffer[] => [
  Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}",`),
  Buffer.from(`{"apiVersion":"${apiVersion}","kind":"${kind}",`),
];

/** The first bytes of the envelope of a kind: prefix and TypeMeta. */
function typeMetaOf(apiVersion: string, kind: string): Buffer {
  // The head ends with the tag and the length of an empty message.
  return envelopeHead(apiVersion, kind, 0).subarray(0, -2);
}
