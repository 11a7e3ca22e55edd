import { ProtobufReader } from '../../../codec/protobuf-reader.ts';

/*
 * The messages of key services (k8s.io/kms/apis/v2) and of values that are encrypted with their keys
 * (k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/v2).
 */

/** The seed of a key is fed into HKDF; the first 32 bytes of the data are its `info`. */
export const SEED = 1;
/** The source is the AES-GCM key itself. */
export const KEY = 0;

export type Annotations = ReadonlyMap<string, Uint8Array>;

/** A data encryption key, or its seed, encrypted by a key service. */
export interface EncryptedSource {
  readonly type: number;
  readonly keyId: string;
  readonly encrypted: Uint8Array;
  readonly annotations: Annotations;
}

/** A stored value. */
export interface EncryptedObject extends EncryptedSource {
  readonly data: Uint8Array;
}

export interface KeyServiceStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

export interface EncryptResponse {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Annotations;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

/** A field of bytes or text; nothing for an empty one. */
function field(number: number, value: Uint8Array | string): Buffer[] {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  if (bytes.length === 0) return [];
  return [Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), Buffer.from(bytes)];
}

const entries = (number: number, annotations: Annotations): Buffer[] =>
  [...annotations].flatMap(([key, value]) =>
    field(number, Buffer.concat([...field(1, key), ...field(2, value)])),
  );

export const encodeObject = ({ data, keyId, encrypted, annotations, type }: EncryptedObject): Buffer =>
  Buffer.concat([
    ...field(1, data),
    ...field(2, keyId),
    ...field(3, encrypted),
    ...entries(4, annotations),
    ...(type === 0 ? [] : [Buffer.from([5 << 3, type])]),
  ]);

export const encodeEncryptRequest = (plaintext: Uint8Array, uid: string): Buffer =>
  Buffer.concat([...field(1, plaintext), ...field(2, uid)]);

export const encodeDecryptRequest = (source: EncryptedSource, uid: string): Buffer =>
  Buffer.concat([
    ...field(1, source.encrypted),
    ...field(2, uid),
    ...field(3, source.keyId),
    ...entries(4, source.annotations),
  ]);

/** The fields of a message; a repeated field keeps all its values. */
class Fields {
  readonly #lengths = new Map<number, Uint8Array[]>();
  readonly #numbers = new Map<number, number>();

  /** @throws DecodeError */
  constructor(message: Uint8Array) {
    const reader = new ProtobufReader();
    const end = message.length;
    reader.buffer = Buffer.from(message.buffer, message.byteOffset, end);
    while (reader.position < end) {
      const tag = reader.tag(end);
      const number = tag >>> 3;
      if ((tag & 7) === 2) {
        const next = reader.delimited(end);
        const values = this.#lengths.get(number) ?? [];
        values.push(message.subarray(reader.position, next));
        this.#lengths.set(number, values);
        reader.position = next;
      } else if ((tag & 7) === 0) this.#numbers.set(number, reader.int32(end));
      else reader.skip(tag, end, 'message');
    }
  }

  bytes(number: number): Uint8Array {
    return this.#lengths.get(number)?.at(-1) ?? new Uint8Array(0);
  }

  text(number: number): string {
    const bytes = this.bytes(number);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  number(number: number): number {
    return this.#numbers.get(number) ?? 0;
  }

  entries(number: number): Annotations {
    return new Map(
      (this.#lengths.get(number) ?? []).map((entry) => {
        const fields = new Fields(entry);
        return [fields.text(1), fields.bytes(2)];
      }),
    );
  }
}

/** @throws DecodeError */
export function decodeObject(message: Uint8Array): EncryptedObject {
  const fields = new Fields(message);
  return {
    data: fields.bytes(1),
    keyId: fields.text(2),
    encrypted: fields.bytes(3),
    annotations: fields.entries(4),
    type: fields.number(5),
  };
}

/** @throws DecodeError */
export function decodeStatus(message: Uint8Array): KeyServiceStatus {
  const fields = new Fields(message);
  return { version: fields.text(1), healthz: fields.text(2), keyId: fields.text(3) };
}

/** @throws DecodeError */
export function decodeEncryptResponse(message: Uint8Array): EncryptResponse {
  const fields = new Fields(message);
  return { ciphertext: fields.bytes(1), keyId: fields.text(2), annotations: fields.entries(3) };
}

/** @throws DecodeError */
export const decodeDecryptResponse = (message: Uint8Array): Uint8Array => new Fields(message).bytes(1);
