import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { decodeEnvelope, encodeEnvelope, envelopeMessage } from '../../src/codec/envelope.ts';
import { TooManyPartsError } from '../../src/codec/parts.ts';

describe('the message in an envelope', () => {
  it('is found without a copy between any other fields', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.string({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 400 }),
        (apiVersion, kind, message) => {
          const bytes = encodeEnvelope(apiVersion, kind, message);
          const found = envelopeMessage(bytes);
          expect(Buffer.from(found).equals(message)).toBe(true);
          expect(found.buffer).toBe(bytes.buffer);
          expect(Buffer.from(decodeEnvelope(bytes).raw).equals(message)).toBe(true);
        },
      ),
    );
  });

  it('is the last of several, and empty when there is none', () => {
    const prefix = Buffer.from('k8s\0');
    expect(envelopeMessage(Buffer.concat([prefix, Buffer.from([0x12, 1, 1, 0x12, 2, 2, 3])]))).toEqual(
      Buffer.from([2, 3]),
    );
    expect(envelopeMessage(Buffer.concat([prefix, Buffer.from([0x0a, 0])]))).toHaveLength(0);
  });

  it('is refused among very many fields', () => {
    const fields = Buffer.from('1200'.repeat(100_001), 'hex');
    expect(() => decodeEnvelope(Buffer.concat([Buffer.from('k8s\0'), fields]))).toThrow(TooManyPartsError);
    expect(decodeEnvelope(encodeEnvelope('v1', 'Pod', fields)).raw).toHaveLength(fields.length);
  });

  it('is refused in arbitrary bytes, never reading beyond the end', () => {
    const attempt = (bytes: Uint8Array) => {
      try {
        const { length } = envelopeMessage(bytes);
        expect(length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (junk) =>
        attempt(Buffer.concat([Buffer.from('k8s\0'), junk])),
      ),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 10 }), attempt));
    expect(() => envelopeMessage(Buffer.from('{}'))).toThrow(DecodeError);
  });
});
