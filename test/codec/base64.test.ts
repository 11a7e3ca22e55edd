import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64OfText } from '../../src/codec/base64.ts';
import { writeBackwards, writeBase64 } from '../../src/codec/protobuf-writer.ts';

describe('base64 text', () => {
  it('holds the UTF-8 bytes of short and long texts', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', minLength: 330, maxLength: 360 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(base64OfText(text)).toBe(Buffer.from(text, 'utf8').toString('base64'));
      }),
    );
    expect(base64OfText('\ud800')).toBe('77+9');
  });

  it('is written as the bytes that it stands for, canonical or not', () => {
    const line = (text: string) => `${text.slice(0, 3)}\n${text.slice(3)}`;
    const forms = fc.constantFrom(
      (text: string) => text,
      line,
      (text: string) => text.replace(/=+$/, ''),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), forms, (bytes, form) => {
        const text = form(Buffer.from(bytes).toString('base64'));
        const written = writeBackwards((buffer, position) => writeBase64(buffer, position, text));
        expect([...written]).toEqual([bytes.length, ...bytes]);
      }),
    );
  });

  it('is written into a buffer that must grow first', () => {
    const bytes = Buffer.alloc(9 << 20, 7);
    const written = writeBackwards((buffer, position) =>
      writeBase64(buffer, position, bytes.toString('base64')),
    );
    expect(written.subarray(4).equals(bytes)).toBe(true);
  });
});
