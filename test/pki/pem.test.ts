import { describe, expect, it } from 'vitest';
import { readPem, writePem } from '../../src/pki/pem.ts';

const block = (label: string): string => writePem(label, Buffer.from([0x30, 0]));
const labels = (text: string): string[] => readPem(text).map(({ label }) => label);

describe('readPem', () => {
  it('finds blocks between other text', () => {
    expect(labels(`noise\n${block('A')}noise${block('B')}`)).toEqual(['A', 'B']);
  });

  it('starts a block at the last BEGIN line before its END line', () => {
    expect(labels(`-----BEGIN C-----\n${block('A')}`)).toEqual(['A']);
  });

  it('skips a block whose labels differ or whose body is not base64', () => {
    expect(labels(`-----BEGIN A-----\nMAA=\n-----END B-----\n${block('C')}`)).toEqual(['C']);
    expect(labels(`-----BEGIN A-----\nM!A=\n-----END A-----\n${block('C')}`)).toEqual(['C']);
  });

  it('reads headers and CRLF line breaks', () => {
    const text = '-----BEGIN A-----\r\nk: v\r\n\r\nMAA=\r\n-----END A-----';
    expect(readPem(text)).toEqual([
      { label: 'A', bytes: Buffer.from([0x30, 0]), hasHeaders: true, text: `${text}\n` },
    ]);
  });

  it('keeps the text of a block as it was written', () => {
    expect(readPem(`noise\n${block('A')}`)[0]?.text).toBe(block('A'));
  });
});

describe('writePem', () => {
  it('writes lines of 64 characters that read back', () => {
    const bytes = Buffer.alloc(100, 7);
    const text = writePem('CERTIFICATE', bytes);
    expect(text.split('\n').map(({ length }) => length)).toEqual([27, 64, 64, 8, 25, 0]);
    expect(readPem(text)[0]?.bytes).toEqual(bytes);
  });
});
