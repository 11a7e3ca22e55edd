import http2 from 'node:http2';
import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { decodeHuffman, mayContainForbiddenBytes } from '../../src/connection/huffman.ts';

const decode = (hex: string): string | undefined =>
  decodeHuffman(Buffer.from(hex, 'hex'))?.toString('latin1');

/** Codes of the bytes needed by the tests, for an encoder that is independent of the decoder. */
const CODES: Record<string, string> = {
  a: '00011',
  e: '00101',
  ' ': '010100',
  '\0': '1111111111000',
  '\t': '111111111111111111101010',
};
const code = (text: string): Buffer => {
  const bits = [...text].map((character) => CODES[character]!).join('');
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

test.each([
  ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
  ['a8eb10649cbf', 'no-cache'],
  ['25a849e95ba97d7f', 'custom-key'],
  ['25a849e95bb8e8b4bf', 'custom-value'],
  ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['9d29ad171863c78f0b97c8e9ae82ae43d3', 'https://www.example.com'],
])('decodes the examples of RFC 7541: %s', (hex, text) => {
  expect(decode(hex)).toBe(text);
});

test('refuses the end-of-string code', () => {
  expect(decode('ffffffff')).toBeUndefined();
});

test('decodes every byte as encoded by nghttp2', async () => {
  const written: Buffer[] = [];
  const wire = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const session = http2.connect('http://localhost', { createConnection: () => wire });
  session.on('error', () => undefined);
  const values: string[] = [];
  for (let byte = 0x21; byte < 0x100; byte++)
    if (byte !== 0x7f) values.push('a'.repeat(20) + String.fromCharCode(byte) + 'a'.repeat(20));
  const stream = session.request({
    ':path': '/',
    ...Object.fromEntries(values.map((value, index) => [`x-${index}`, value])),
  });
  stream.on('error', () => undefined);
  await vi.waitFor(() => expect(Buffer.concat(written).length).toBeGreaterThan(values.length * 30));
  session.destroy();
  const sent = Buffer.concat(written).toString('latin1');
  const prefix = code('a'.repeat(16)).toString('latin1');
  const found = new Set<string>();
  for (let at = sent.indexOf(prefix); at > 0; at = sent.indexOf(prefix, at + 1)) {
    const length = sent.charCodeAt(at - 1);
    if (length < 0x80) continue;
    const text = decodeHuffman(Buffer.from(sent.slice(at, at + (length & 0x7f)), 'latin1'))?.toString(
      'latin1',
    );
    if (text !== undefined) found.add(text);
  }
  expect(values.filter((value) => !found.has(value))).toEqual([]);
});

test.each([
  ['aea', false],
  ['', false],
  ['a\0', true],
  ['\0', true],
  ['e\te', true],
  [' a', true],
  ['a ', true],
  ['aaa ', true],
  ['aaaaa aa', false],
])('suspects %j: %s', (text, suspect) => {
  expect(mayContainForbiddenBytes(code(text))).toBe(suspect);
  expect(decodeHuffman(code(text))?.toString('latin1')).toBe(text);
});
