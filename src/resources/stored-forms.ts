import { createHash } from 'node:crypto';
import { DecodeError } from '../codec/decode-error.ts';
import { decodeEnvelope, envelopeHead, envelopeMessage, hasEnvelope } from '../codec/envelope.ts';
import { parseJson } from '../codec/json-parse.ts';
import { decodeMessage } from '../codec/protobuf.ts';
import type { StorageRow } from '../kinds/resource-row.ts';
import type { StoredCompletion } from '../kinds/strategy.ts';
import { type KubernetesObject, parseApiVersion } from '../model/object.ts';
import type { TypeModel } from '../model/type-model.ts';
import { runNow } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { UnreadableValueError } from '../storage/corrupt-object.ts';
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
  /** Values that were found to have the written form, by identity: stores that are forks share their values. */
  readonly written: Pick<WeakSet<Uint8Array>, 'has' | 'add'>;
  readonly types: TypeModel;
  /** Returns a version of the kind, served or not. */
  readonly inVersion: (apiVersion: string) => KindVersion | undefined;
}

/**
 * Converts stored bytes of a kind to the form that this server writes: values in JSON instead of protobuf, values in
 * another version of the kind, and values without the defaults of fields that are newer than their writer.
 */
export class WrittenForm {
  readonly #options: WrittenFormOptions;
  readonly #heads: readonly Buffer[];
  readonly #found = new RecentForms();

  constructor(options: WrittenFormOptions) {
    const { storage, kind } = options;
    this.#options = options;
    this.#heads =
      storage.encoding === 'json'
        ? jsonHeads(storage.apiVersion, kind)
        : [typeMetaOf(storage.apiVersion, kind)];
  }

  /**
   * The written form of a value: the same bytes if they have it already, or are damaged.
   * @throws UnreadableValueError for a value in a version of the kind that this release does not have
   */
  of(value: Uint8Array): Uint8Array {
    const found = this.#found.get(value);
    if (found !== undefined || this.#options.isOwn(value)) return found ?? value;
    const isWritten = this.#isWritten(value);
    if (isWritten && (!this.#completes || this.#options.written.has(value))) return value;
    try {
      const form = isWritten ? runNow(this.#completing(value)) : this.#convert(value);
      if (form === value) this.#options.written.add(value);
      return form;
    } catch (error) {
      // The decoder of the kind reports it with the key.
      if (error instanceof DecodeError || error instanceof RangeError) return value;
      throw error;
    }
  }

  /** Finds in steps what {@link of} returns for a large value that this server is about to store. */
  *finding(value: Uint8Array): Steps<void> {
    if (this.#completes && this.#isWritten(value) && !this.#options.isOwn(value))
      this.#found.add(value, yield* this.#completing(value));
  }

  /** Whether values of this server's form may lack something. */
  get #completes(): boolean {
    const { completion, setDefaults } = this.#options;
    return completion !== undefined || setDefaults !== undefined;
  }

  #isWritten(value: Uint8Array): boolean {
    return this.#heads.some((head) => startsWith(value, head));
  }

  *#completing(value: Uint8Array): Steps<Uint8Array> {
    const { codec, completion, setDefaults } = this.#options;
    const isIncomplete = completion?.isIncomplete(envelopeMessage(value)) === true;
    if (setDefaults === undefined && !isIncomplete) return value;
    const object = yield* decoding(codec, value);
    setDefaults?.(object);
    if (isIncomplete) completion!.complete(object);
    yield;
    const complete = yield* encoding(codec, object, value.length);
    if (isEqual(complete, value)) return value;
    yield;
    // Encoding drops unknown fields: a value that differs only by these is kept as it is.
    return isIncomplete ||
      !isEqual(complete, yield* encoding(codec, yield* decoding(codec, value), value.length))
      ? complete
      : value;
  }

  #convert(value: Uint8Array): Uint8Array {
    const object = hasEnvelope(value)
      ? this.#fromEnvelope(value)
      : value[0] === BRACE
        ? this.#fromJson(value)
        : undefined;
    return object === undefined ? value : this.#options.codec.encode(object);
  }

  #fromEnvelope(value: Uint8Array): KubernetesObject | undefined {
    const { kind, storage, types } = this.#options;
    const { apiVersion, kind: stored, raw } = decodeEnvelope(value);
    if (stored !== kind || (apiVersion === storage.apiVersion && storage.encoding === 'protobuf'))
      return undefined;
    const parsed = parseApiVersion(apiVersion);
    const type = parsed && types.ofKind(parsed.group, parsed.version, kind);
    if (type === undefined) throw unregistered(kind, apiVersion);
    return this.#working(apiVersion, () => decodeMessage(type, raw) as KubernetesObject);
  }

  #fromJson(value: Uint8Array): KubernetesObject | undefined {
    const { kind, storage } = this.#options;
    const plain = parseJson(value).value as { apiVersion?: unknown; kind?: unknown };
    const { apiVersion, kind: stored } = plain;
    if (stored !== kind || typeof apiVersion !== 'string') return undefined;
    if (apiVersion === storage.apiVersion && storage.encoding === 'json') return undefined;
    return this.#working(apiVersion, ({ schema }) => schema.fromPlain(plain).value as KubernetesObject);
  }

  #working(apiVersion: string, read: (version: KindVersion) => KubernetesObject): KubernetesObject {
    const version = this.#options.inVersion(apiVersion);
    if (version === undefined) throw unregistered(this.#options.kind, apiVersion);
    const object = read(version);
    object.metadata ??= {};
    version.conversion.setDefaults(object);
    this.#options.completion?.complete(object);
    return version.conversion.toWorking(object);
  }
}

/** The error of kube-apiserver. Decoding the value as another version would lose what that version does not have. */
const unregistered = (kind: string, apiVersion: string): UnreadableValueError =>
  new UnreadableValueError(
    `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:100"`,
  );

/** Decodes a value; a large one in steps. */
function* decoding(codec: StorageCodec, value: Uint8Array): Steps<KubernetesObject> {
  return codec.decoding !== undefined && value.length > stepSizes.objectBytes
    ? yield* codec.decoding(value, 0)
    : codec.decode(value, 0);
}

/** @param size bytes of the object's value, about */
function* encoding(codec: StorageCodec, object: KubernetesObject, size: number): Steps<Uint8Array> {
  return codec.encoding !== undefined && size > stepSizes.objectBytes
    ? yield* codec.encoding(object)
    : codec.encode(object);
}

/** The forms of values that were found a moment ago. Of the latest one a copy is recognized: a store makes some. */
class RecentForms {
  readonly #forms = new WeakMap<Uint8Array, Uint8Array>();
  /** `form` is undefined if the value has its form already. */
  #latest:
    | { readonly length: number; readonly digest: Uint8Array; readonly form: Uint8Array | undefined }
    | undefined;

  add(value: Uint8Array, form: Uint8Array): void {
    this.#forms.set(value, form);
    const other = form === value ? undefined : form;
    this.#latest = { length: value.length, digest: digestOf(value), form: other };
  }

  get(value: Uint8Array): Uint8Array | undefined {
    const known = this.#forms.get(value);
    const latest = this.#latest;
    if (known !== undefined || latest?.length !== value.length) return known;
    if (!isEqual(digestOf(value), latest.digest)) return undefined;
    this.#latest = undefined;
    return latest.form ?? value;
  }
}

const digestOf = (value: Uint8Array): Uint8Array => createHash('sha256').update(value).digest();

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
