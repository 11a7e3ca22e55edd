import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as names from '../../src/model/name-syntax.ts';

describe('names', () => {
  it('validates DNS labels with the messages of kube-apiserver', () => {
    expect(names.dns1123Label('abc-1')).toEqual([]);
    expect(names.dns1123Label('a.b')).toEqual(['must not contain dots']);
    expect(names.dns1123Label('A')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
    expect(names.dns1123Label('a'.repeat(64))).toEqual(['must be no more than 63 characters']);
  });

  it('validates subdomains', () => {
    expect(names.dns1123Subdomain('a.b-c.0')).toEqual([]);
    for (const name of ['', '.', 'a..b', 'a_b', '-a', 'a-', 'a/b', 'a😀', 'a\n'])
      expect(names.dns1123Subdomain(name), name).toHaveLength(1);
    expect(names.dns1123Subdomain(`${'a'.repeat(63)}.`.repeat(4))).toHaveLength(2);
  });

  it.each([
    [63, names.dns1123Label],
    [253, names.dns1123Subdomain],
  ])('finds the first label that is malformed, of at most %i characters', (maximum, check) => {
    const label = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '0', '-', 'A', 'é'), maxLength: 3 }),
      fc.constantFrom('a'.repeat(63), 'a'.repeat(64), 'a'.repeat(253), 'a'.repeat(254), `${'a'.repeat(64)}-`),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 5 }), (labels) => {
        const text = labels.join('.');
        const expected = text.split('.').find((one) => check(one).length > 0);
        expect(names.firstMalformedLabel(text, maximum)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('validates both parts of qualified names', () => {
    expect(names.qualifiedName('example.com/My.Name')).toEqual([]);
    expect(names.qualifiedName('/a')).toEqual(['prefix part must be non-empty']);
    expect(names.qualifiedName('')).toHaveLength(2);
    expect(names.qualifiedName('a/b/c')[0]).toMatch(
      /^a qualified name must consist of .* with an optional DNS subdomain prefix and '\/' \(e\.g\. 'example\.com\/MyName'\)$/,
    );
    expect(names.qualifiedName(`a/${'b'.repeat(64)}`)).toEqual([
      'name part must be no more than 63 characters',
    ]);
  });

  it('accepts an empty label value and rejects blanks', () => {
    expect(names.labelValue('')).toEqual([]);
    expect(names.labelValue('b c')).toHaveLength(1);
    expect(names.labelValue('v'.repeat(64))).toEqual(['must be no more than 63 characters']);
  });

  it('rejects config map keys that leave their directory', () => {
    for (const key of ['.', '..', '..data', 'a/b', '']) expect(names.configMapKey(key), key).not.toEqual([]);
    for (const key of ['.profile', 'a..b', 'KEY_name-1.txt'])
      expect(names.configMapKey(key), key).toEqual([]);
  });

  it('accepts printable ASCII in environment variable names', () => {
    expect(names.environmentVariableName('A B.c-1')).toEqual([]);
    expect(names.environmentVariableName('a=b')).toHaveLength(1);
    expect(names.environmentVariableName('ä')).toHaveLength(1);
    expect(names.environmentVariableName('')).toEqual(['environment variable name must be non-empty']);
  });

  it('validates port names and numbers', () => {
    expect(names.portName('http-2')).toEqual([]);
    expect(names.portName('80')).toEqual(['must contain at least one letter (a-z)']);
    expect(names.portName('a--b')).toEqual(['must not contain consecutive hyphens']);
    expect(names.portName('a-very-long-name')).toEqual(['must be no more than 15 characters']);
    expect(names.portNumber(0)).toEqual(['must be between 1 and 65535, inclusive']);
  });

  it('accepts a generateName that ends in a dash', () => {
    expect(names.nameIsSubdomain('job-', true)).toEqual([]);
    expect(names.nameIsSubdomain('job-', false)).toHaveLength(1);
    expect(names.nameIsLabel('a.b-', true)).toEqual(['must not contain dots']);
  });

  it('validates path segments', () => {
    expect(names.nameIsPathSegment('system:node a', false)).toEqual([]);
    expect(names.nameIsPathSegment('..', false)).toEqual(["may not be '..'"]);
    expect(names.nameIsPathSegment('..', true)).toEqual([]);
    expect(names.nameIsPathSegment('a/b%', false)).toEqual(["may not contain '/'", "may not contain '%'"]);
  });
});
