import { describe, expect, it } from 'vitest';
import * as der from '../../src/pki/der.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('DER writer', () => {
  it('writes short and long lengths', () => {
    expect(hex(der.octetString(Buffer.alloc(0)))).toBe('0400');
    expect(hex(der.octetString(Buffer.alloc(127))).slice(0, 4)).toBe('047f');
    expect(hex(der.octetString(Buffer.alloc(128))).slice(0, 6)).toBe('048180');
    expect(hex(der.octetString(Buffer.alloc(65_536))).slice(0, 10)).toBe('0483010000');
  });
  it('writes integers in the shortest form that keeps them positive', () => {
    expect(hex(der.integer(Buffer.from([0, 0, 5])))).toBe('020105');
    expect(hex(der.integer(Buffer.from([0x80])))).toBe('02020080');
    expect(hex(der.integer(Buffer.from([0, 0])))).toBe('020100');
    expect(hex(der.integer(Buffer.alloc(0)))).toBe('020100');
  });
  it('writes object identifiers with large arcs', () => {
    expect(hex(der.objectIdentifier('1.2.840.113549'))).toBe('06062a864886f70d');
    expect(hex(der.objectIdentifier('2.5.29.17'))).toBe('0603551d11');
  });
  it('writes times by their century', () => {
    expect(der.time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1')).toBe('\x17\x0d491231235959Z');
    expect(der.time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });
  it('writes bit strings, booleans and tags', () => {
    expect(hex(der.bitString(Buffer.from([6]), 1))).toBe('03020106');
    expect(hex(der.boolean(true))).toBe('0101ff');
    expect(hex(der.explicit(3, der.sequence()))).toBe('a3023000');
    expect(hex(der.implicit(2, Buffer.from('a')))).toBe('820161');
  });
});

describe('DER reader', () => {
  it('reads the elements that the writer wrote, with their encoding', () => {
    const first = der.objectIdentifier('2.16.840.1.113730.4.1');
    const second = der.octetString(Buffer.alloc(300, 1));
    const { tag, content, end } = der.readElement(der.sequence(first, second));
    expect([tag, end]).toEqual([der.TAG.sequence, content.length + 4]);
    const children = der.readChildren(content);
    expect(children.map(({ raw }) => raw)).toEqual([first, second]);
    expect(der.readObjectIdentifier(children[0]!.content)).toBe('2.16.840.1.113730.4.1');
  });

  it('rejects truncated elements and unsupported length forms', () => {
    expect(() => der.readElement(Buffer.from([0x30, 2, 0]))).toThrow('truncated element');
    expect(() => der.readElement(Buffer.from([0x30, 0x80, 0, 0]))).toThrow('unsupported length form');
    expect(() => der.readElement(Buffer.from([0x30]))).toThrow(RangeError);
  });

  it('accepts exactly one sequence', () => {
    const one = der.sequence(der.boolean(true));
    expect(der.isSequence(one)).toBe(true);
    expect(der.isSequence(Buffer.concat([one, Buffer.from([0])]))).toBe(false);
    expect(der.isSequence(one.subarray(0, -1))).toBe(false);
    expect(der.isSequence(der.boolean(true))).toBe(false);
  });
});
