import { messageShape, type Shape } from '../apply/index.ts';
import { withBinaryBytes } from '../codec/cbor-typed.ts';
import { encodeEnvelope } from '../codec/envelope.ts';
import { writeJson } from '../codec/json-write.ts';
import { decodeMessage, decodingMessage, encodeMessage } from '../codec/protobuf.ts';
import {
  type DecodeOptions,
  decodingPlain,
  fromPlain,
  makingPlain,
  type TypedDocument,
  toPlain,
} from '../codec/typed.ts';
import { specChanged } from '../kinds/validation/semantic-equal.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { TypeModel } from '../model/type-model.ts';
import { applyStrategicMergePatch, sortRawMembers } from '../patch/index.ts';
import type { MessageType } from '../schema/message.ts';
import type { ValueSchema } from '../schema/structural/index.ts';
import type { Steps } from '../steps/steps.ts';
import { encodeJsonDocument, type JsonDocument, writingJsonDocument } from './kind-codec.ts';

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * How objects of one kind in one version are decoded, encoded, compared and merged. Built-in kinds and custom
 * kinds implement it; callers use the optional members as capabilities and never ask which kind it is.
 */
export interface ObjectSchema {
  /** Names of the top-level members, without kind and apiVersion. */
  readonly members: readonly string[];
  /** How fields are owned and merged by server-side apply. */
  readonly shape: Shape;
  /** The structural schema of a custom kind. */
  readonly structure?: { readonly schema: ValueSchema };
  /** Whether work on an object takes about a millisecond; absent for kinds whose defaults are small. */
  isSmall?(object: KubernetesObject): boolean;
  /** Protobuf messages; absent for kinds that have none. */
  readonly protobuf?: ProtobufSchema;
  /** Applies a strategic merge patch to a plain tree, in steps; absent for kinds that have no patch strategies. */
  strategicMerge?(current: unknown, patch: unknown): Steps<unknown>;
  /**
   * Decodes a plain tree into the in-memory form, and reports unknown fields.
   * @throws DecodeError
   */
  fromPlain(plain: unknown, options?: DecodeOptions): TypedDocument;
  /** {@link fromPlain} in steps of some milliseconds, for large trees. */
  decodingPlain(plain: unknown, options?: DecodeOptions): Steps<TypedDocument>;
  /** Converts an in-memory object to a plain tree; the object is not changed. */
  toPlain(object: KubernetesObject, typeMeta: TypeMeta): object;
  /** {@link toPlain} in steps of some milliseconds, for large objects. */
  makingPlain(object: KubernetesObject, typeMeta: TypeMeta): Steps<object>;
  writeJson(object: KubernetesObject, typeMeta: TypeMeta): string;
  /** {@link writeJson} in steps of some milliseconds; absent where one step is not long. */
  writingJson?(object: KubernetesObject, typeMeta: TypeMeta): Steps<string>;
  /** Encodes the JSON document of an object at a revision; revision `0` (a dry run) has no resourceVersion. */
  jsonDocument(object: KubernetesObject, typeMeta: TypeMeta, revision: string): JsonDocument;
  /** {@link jsonDocument} in steps of some milliseconds; absent for kinds that are stored as JSON. */
  writingDocument?(object: KubernetesObject, typeMeta: TypeMeta, revision: string): Steps<JsonDocument>;
  /**
   * Makes the JSON document of an object at a revision from its stored bytes in this version, without decoding
   * them; absent for kinds that are not stored as JSON in their own form.
   */
  spliceDocument?(stored: Uint8Array, revision: string): JsonDocument;
  /** {@link spliceDocument} with the fractions of whole floats; absent where documents have none. */
  spliceExactDocument?(stored: Uint8Array, revision: string): JsonDocument;
  /**
   * Objects are plain JSON. As in kube-apiserver, their JSON has sorted members, list items show kind and
   * apiVersion, lists always have a continue token, bodies must name their kind, errors name kind and group,
   * and responses have no details about media types.
   */
  readonly isUntyped: boolean;
  /** Whether anything but metadata and status differs. */
  specChanged(object: KubernetesObject, old: KubernetesObject): boolean;
  /**
   * Sorts free-form data that a patch decoded, as the reference does.
   * @param isDecoded whether the patch decoded a container
   */
  normalizePatched(plain: unknown, isDecoded: (container: object) => boolean): unknown;
  /** Replaces base64 text in a plain tree with bytes where the schema has bytes, for CBOR. */
  binaryForm(plain: unknown): unknown;
}

export interface ProtobufSchema {
  encode(object: KubernetesObject): Buffer;
  /**
   * @param maximumParts limit on the fields of an untrusted message; absent for stored bytes
   * @throws DecodeError, TooManyPartsError
   */
  decode(message: Uint8Array, maximumParts?: number): KubernetesObject;
  /** {@link decode} of an untrusted message, in steps. */
  decoding(message: Uint8Array, maximumParts: number): Steps<KubernetesObject>;
}

class CompiledSchema implements ObjectSchema {
  readonly isUntyped = false;
  readonly protobuf: ProtobufSchema | undefined;
  #members: readonly string[] | undefined;

  constructor(private readonly type: MessageType) {
    if (type.protobuf !== undefined)
      this.protobuf = {
        encode: (object) => encodeMessage(type, object),
        decode: (message, maximumParts) =>
          decodeMessage(
            type,
            message,
            maximumParts === undefined ? undefined : { untrusted: true, maximumParts },
          ) as KubernetesObject,
        decoding: (message, maximumParts) =>
          decodingMessage(type, message, { untrusted: true, maximumParts }) as Steps<KubernetesObject>,
      };
  }

  get members(): readonly string[] {
    this.#members ??= [...this.type.byName.keys()];
    return this.#members;
  }

  get shape(): Shape {
    return messageShape(this.type);
  }

  strategicMerge(current: unknown, patch: unknown): Steps<unknown> {
    return applyStrategicMergePatch(this.type, current, patch);
  }

  fromPlain(plain: unknown, options?: DecodeOptions): TypedDocument {
    return fromPlain(this.type, plain, options);
  }

  decodingPlain(plain: unknown, options?: DecodeOptions): Steps<TypedDocument> {
    return decodingPlain(this.type, plain, options);
  }

  toPlain(object: KubernetesObject, typeMeta: TypeMeta): object {
    return toPlain(this.type, object, typeMeta) as object;
  }

  makingPlain(object: KubernetesObject, typeMeta: TypeMeta): Steps<object> {
    return makingPlain(this.type, object, typeMeta) as Steps<object>;
  }

  writeJson(object: KubernetesObject, typeMeta: TypeMeta): string {
    return writeJson(this.type, object, typeMeta);
  }

  jsonDocument(object: KubernetesObject, typeMeta: TypeMeta, revision: string): JsonDocument {
    return encodeJsonDocument(this.type, object, typeMeta, revision);
  }

  writingDocument(object: KubernetesObject, typeMeta: TypeMeta, revision: string): Steps<JsonDocument> {
    return writingJsonDocument(this.type, object, typeMeta, revision);
  }

  specChanged(object: KubernetesObject, old: KubernetesObject): boolean {
    return specChanged(object, old, this.type);
  }

  normalizePatched(plain: unknown, isDecoded: (container: object) => boolean): unknown {
    return sortRawMembers(this.type, plain, isDecoded);
  }

  binaryForm(plain: unknown): unknown {
    return withBinaryBytes(this.type, plain);
  }
}

const known = new WeakMap<MessageType, ObjectSchema>();

/** Returns the schema of a built-in message type. */
export function compiledSchema(type: MessageType): ObjectSchema {
  let schema = known.get(type);
  if (schema === undefined) {
    schema = new CompiledSchema(type);
    known.set(type, schema);
  }
  return schema;
}

/** Returns the schema of a built-in kind of a release; undefined for an unknown kind. */
export function builtinSchema(
  types: TypeModel,
  group: string,
  version: string,
  kind: string,
): ObjectSchema | undefined {
  const type = types.ofKind(group, version, kind);
  return type === undefined ? undefined : compiledSchema(type);
}

/** Encodes an object with its envelope. The schema must have protobuf messages. */
export const encodeProtobufObject = (
  { protobuf }: ObjectSchema,
  { apiVersion, kind }: TypeMeta,
  object: KubernetesObject,
): Buffer => encodeEnvelope(apiVersion, kind, protobuf!.encode(object));
