import { ProtobufReader } from '../../../codec/protobuf-reader.ts';
import { bytes, encode, integer, message, text, type WriteField } from '../../message-fields.ts';

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

// Empty values are not written, as in proto3.
const bytesUnlessEmpty = (field: number, value: Uint8Array): WriteField =>
  value.length > 0 && bytes(field, value);
const textUnlessEmpty = (field: number, value: string): WriteField => value !== '' && text(field, value);
const entries = (field: number, annotations: Annotations): WriteField[] =>
  [...annotations].map(([key, value]) => message(field, textUnlessEmpty(1, key), bytesUnlessEmpty(2, value)));

export const encodeObject = ({ data, keyId, encrypted, annotations, type }: EncryptedObject): Buffer =>
  encode(
    bytesUnlessEmpty(1, data),
    textUnlessEmpty(2, keyId),
    bytesUnlessEmpty(3, encrypted),
    ...entries(4, annotations),
    type !== 0 && integer(5, type),
  );

export const encodeEncryptRequest = (plaintext: Uint8Array, uid: string): Buffer =>
  encode(bytesUnlessEmpty(1, plaintext), textUnlessEmpty(2, uid));

export const encodeDecryptRequest = (source: EncryptedSource, uid: string): Buffer =>
  encode(
    bytesUnlessEmpty(1, source.encrypted),
    textUnlessEmpty(2, uid),
    textUnlessEmpty(3, source.keyId),
    ...entries(4, source.annotations),
  );

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
