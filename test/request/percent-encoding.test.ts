import { describe, expect, it } from 'vitest';
import { asReceived, decodePercent } from '../../src/request/percent-encoding.ts';
import { Query } from '../../src/request/query.ts';

describe('decodePercent', () => {
  it.each([
    ['plain', 'plain'],
    ['a%20b%2Fc', 'a b/c'],
    ['a+b', 'a+b'],
    ['%C3%A4%e2%82%ac%F0%9F%98%80', 'ä€😀'],
    ['\xc3\xa4', 'ä'],
    ['All%ff', 'All\ufffd'],
    // One replacement character per byte, also for a truncated or overlong sequence, a surrogate or a code
    // point out of range.
    ['%e2%82', '\ufffd\ufffd'],
    ['%e2%82x%f0%9f%98', '\ufffd\ufffdx\ufffd\ufffd\ufffd'],
    ['%c0%af%ed%a0%80%f4%90%80%80%e0%80%80', '\ufffd'.repeat(12)],
    ['%EF%BF%BD%ff', '\ufffd\ufffd'],
    ['%00', '\0'],
    ['%EF%BB%BFa', '\ufeffa'],
  ])('%s', (text, decoded) => {
    expect(decodePercent(text, false)).toBe(decoded);
  });

  it.each(['%', 'a%', '%4', '%zz', '%4g', '%%41', '%\xe94', 'ok%41%'])('rejects %s', (text) => {
    expect(decodePercent(text, false)).toBeUndefined();
  });

  it('decodes a plus as a space in queries', () => {
    expect(decodePercent('a+b%2B%ff', true)).toBe('a b+\ufffd');
    expect(decodePercent('a+b', true)).toBe('a b');
  });

  it('decodes in-process targets', () => {
    expect(decodePercent(asReceived('/a/ä%C3%A4€'), false)).toBe('/a/ää€');
  });
});

describe('Query', () => {
  it.each([
    ['dryRun=All%ff', 'dryRun', ['All\ufffd']],
    ['labelSelector=x%3D%ff', 'labelSelector', ['x=\ufffd']],
    ['a=1&a=2', 'a', ['1', '2']],
    ['a', 'a', ['']],
    ['&&a=1&', 'a', ['1']],
    ['=x&a=b=c', 'a', ['b=c']],
    ['__proto__=x', '__proto__', ['x']],
  ])('%s', (raw, name, values) => {
    const query = new Query(raw);
    expect(query.all(name)).toEqual(values);
    expect(query.malformed).toBeUndefined();
  });

  it.each(['a=%zz', '%zz=a', 'a=%', 'a=1;b=2', ';'])('reports the malformed pair: %s', (pair) => {
    const query = new Query(`first=1&${pair}&last=2&worse=%`);
    expect(query.malformed).toBe(pair);
    expect([...query.names()]).toEqual(['first', 'last']);
  });
});
