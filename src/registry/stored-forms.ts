import { DecodeError } from '../codec/decode-error.ts';
import { decodeEnvelope, envelopeHead, envelopeMessage, hasEnvelope } from '../codec/envelope.ts';
import { parseJson } from '../codec/json-parse.ts';
import { decodeMessage } from '../codec/protobuf.ts';
import { type KubernetesObject, parseApiVersion } from '../model/object.ts';
import { kindType } from '../model/scheme.ts';
import { startsWith } from '../storage/encryption/transformer.ts';
import type { StorageCodec } from './kind-codec.ts';
import type { ObjectSchema } from './object-schema.ts';
import type { ResourceRow, StorageRow } from './resource-row.ts';
import type { StoredCompletion } from './strategy.ts';
import type { VersionConversion } from './version-conversion.ts';

/** A version of a kind: conversion and schema. */
export interface KindVersion {
  readonly conversion: VersionConversion;
  readonly schema: ObjectSchema;
}

/** `{`, the first byte of stored JSON. */
const BRACE = 0x7b;

/**
 * Returns a function that converts stored bytes of a kind to the form that this server writes: values in JSON
 * instead of protobuf, and values in another version of the kind, as other servers may have written them. The
 * same bytes are returned if they have that form already, or cannot be decoded.
 * @param completion what stored objects may omit
 * @param inVersion returns a version of the kind, served or not
 */
export function writtenForm(
  { kind, storage }: Pick<ResourceRow, 'kind'> & { readonly storage: StorageRow },
  codec: StorageCodec,
  completion: StoredCompletion | undefined,
  inVersion: (apiVersion: string) => KindVersion | undefined,
): (value: Uint8Array) => Uint8Array {
  const head =
    storage.encoding === 'json'
      ? Buffer.from(`{"kind":"${kind}","apiVersion":"${storage.apiVersion}",`)
      : typeMetaOf(storage.apiVersion, kind);
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
    const type = parsed && kindType(parsed.group, parsed.version, kind);
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
    if (completion?.isIncomplete(envelopeMessage(value)) !== true) return value;
    const object = codec.decode(value, 0);
    completion.complete(object);
    return codec.encode(object);
  };
  return (value) => {
    const isWritten = startsWith(value, head);
    if (isWritten && completion === undefined) return value;
    try {
      return isWritten ? completed(value) : convert(value);
    } catch (error) {
      // The decoder of the kind reports it with the key.
      if (error instanceof DecodeError || error instanceof RangeError) return value;
      throw error;
    }
  };
}

/** The first bytes of the envelope of a kind: prefix and TypeMeta. */
function typeMetaOf(apiVersion: string, kind: string): Buffer {
  // The head ends with the tag and the length of an empty message.
  return envelopeHead(apiVersion, kind, 0).subarray(0, -2);
}
