import { envelopeMessage } from '../codec/envelope.ts';
import { findMember } from '../codec/json-members.ts';
import { parseJson } from '../codec/json-parse.ts';
import { decodeMetadata } from '../codec/protobuf.ts';
import { findDelimitedField } from '../codec/protobuf-fields.ts';
import { fromPlain } from '../codec/typed.ts';
import type { BuiltinResource } from '../kinds/builtin-resource.ts';
import type { BuiltinResources } from '../kinds/builtin-resources.ts';
import type { ResourceRow, StorageRow } from '../kinds/resource-row.ts';
import type { DefaultingStrategy, Strategy } from '../kinds/strategy.ts';
import { apiVersionOf, type KubernetesObject, type ObjectMeta } from '../model/object.ts';
import type { TypeModel } from '../model/type-model.ts';
import type { Field, MessageType } from '../schema/message.ts';
import { type StorageCodec, storageCodec } from './kind-codec.ts';
import { builtinSchema } from './object-schema.ts';
import { RecentValues } from './recent-values.ts';
import type { ResourceDefinition, StoredForm } from './resource-definition.ts';
import { type KindVersion, WrittenForm } from './stored-forms.ts';
import { BuiltinConversion } from './version-conversion.ts';

/** How a built-in definition finds the other parts of its kind. */
export interface BuiltinParts {
  readonly types: TypeModel;
  readonly resources: BuiltinResources;
  strategyOf(resource: BuiltinResource): Strategy;
  /** Returns conversion and schema of the same stored kind in another version, served or not. */
  inVersion(row: ResourceRow, apiVersion: string): KindVersion | undefined;
}

/** Creates the definition of a built-in resource from its row. */
export function builtinDefinition(row: ResourceRow, parts: BuiltinParts): ResourceDefinition {
  const resource = parts.resources.resourceOf(row)!;
  const strategy = parts.strategyOf(resource);
  return {
    row,
    strategy,
    schema: builtinSchema(parts.types, row.group, row.version, row.kind)!,
    fieldSelectors: resource.fieldSelectors,
    table: parts.resources.tableOf(resource),
    generation: '',
    watchableFrom: 0,
    storedForm: () => {
      // The group of the storage version determines the encoding; the rest of a strategy belongs to the
      // served version.
      const stored = parts.strategyOf(parts.resources.find(row.storage!.group, row.resource)!);
      return builtinForm(row, stored, parts);
    },
    conversion: (stored) =>
      new BuiltinConversion(row, apiVersionOf(row.group, row.version), stored, strategy, (apiVersion) =>
        parts.inVersion(row, apiVersion),
      ),
  };
}

function builtinForm(
  row: ResourceRow,
  { storageEncoding, defaulting = {} }: Pick<Strategy, 'storageEncoding' | 'defaulting'>,
  { types, inVersion, resources: { written } }: BuiltinParts,
): StoredForm {
  const { afterDecoding, completion, byVersion, creationOmitsDefaults = false } = defaulting;
  const storage = row.storage!;
  const type =
    types.ofKind(storage.group, storage.version, row.kind) ?? types.ofKind(row.group, row.version, row.kind)!;
  const own = new RecentValues();
  const setDefaults = storage.encoding === 'protobuf' ? byVersion?.[storage.version] : undefined;
  const plainCodec = completing(storageCodec(storage, row.kind, type, storageEncoding), afterDecoding);
  const isRemembered = setDefaults !== undefined && !creationOmitsDefaults;
  const forms = new WrittenForm({
    kind: row.kind,
    storage,
    codec: plainCodec,
    completion,
    setDefaults,
    isOwn: (value) => own.has(value),
    written,
    types,
    inVersion: (apiVersion) => inVersion(row, apiVersion),
  });
  return {
    codec: isRemembered ? remembering(plainCodec, own) : plainCodec,
    metadata: metadataReader(storage, types),
    ...(storage.encoding === 'protobuf' &&
      afterDecoding === undefined && { textReader: (path) => textReaderOf(type, path) }),
    writtenForm: (value) => forms.of(value),
    findingWrittenForm: (value) => forms.finding(value),
    // A form of its own is decoded in two conversions.
    ...(storageEncoding !== undefined && { keepsRecent: true }),
  };
}

function completing(codec: StorageCodec, afterDecoding: DefaultingStrategy['afterDecoding']): StorageCodec {
  if (afterDecoding === undefined) return codec;
  const { decoding } = codec;
  return {
    ...codec,
    decode(value, revision) {
      const object = codec.decode(value, revision);
      afterDecoding(object);
      return object;
    },
    ...(decoding !== undefined && {
      *decoding(value: Uint8Array, revision: number) {
        const object = yield* decoding(value, revision);
        afterDecoding(object);
        return object;
      },
    }),
  };
}

/** Remembers what the codec encodes. */
function remembering(codec: StorageCodec, own: RecentValues): StorageCodec {
  const { encoding } = codec;
  const remember = (value: Uint8Array): Uint8Array => {
    own.add(value);
    return value;
  };
  return {
    ...codec,
    encode: (object) => remember(codec.encode(object)),
    ...(encoding !== undefined && {
      *encoding(object: KubernetesObject) {
        return remember(yield* encoding(object));
      },
    }),
  };
}

function metadataReader(row: StorageRow, types: TypeModel): (value: Uint8Array) => ObjectMeta {
  const type = types.type('meta_v1.ObjectMeta');
  if (row.encoding === 'json')
    return (value) => {
      const found = findMember(value, 0, 'metadata');
      if (found === undefined) return {};
      const plain = parseJson(value.subarray(found.valueStart, found.valueEnd)).value;
      return fromPlain(type, plain ?? {}).value as ObjectMeta;
    };
  return (value) => decodeMetadata(type, envelopeMessage(value)) as ObjectMeta;
}

/** Reads a text of a protobuf message in an envelope. @returns undefined for a path that is no text */
function textReaderOf(
  type: MessageType,
  path: readonly string[],
): ((value: Uint8Array) => string) | undefined {
  const numbers: number[] = [];
  let message: MessageType | undefined = type;
  let scalar: string | undefined;
  for (const name of path) {
    const field: Field | undefined = message?.byName.get(name);
    if (field?.shape !== 'single') return undefined;
    numbers.push(field.number);
    message = field.type.message;
    scalar = field.type.scalar;
  }
  if (scalar !== 'string' || numbers.includes(0)) return undefined;
  return (value) => {
    let bytes: Uint8Array | undefined = envelopeMessage(value);
    for (const number of numbers) {
      bytes = findDelimitedField(bytes, number);
      if (bytes === undefined) return '';
    }
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  };
}
