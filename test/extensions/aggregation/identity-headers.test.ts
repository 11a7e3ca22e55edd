import { describe, expect, it } from 'vitest';
import { identityHeaders } from '../../../src/extensions/aggregation/identity-headers.ts';
import { UnsendableHeaderError } from '../../../src/proxy/headers.ts';

const user = { name: 'ann', groups: ['a', 'b'], extra: new Map<string, readonly string[]>() };

describe('the identity headers', () => {
  it('have one header per group and escape the keys of extra attributes', () => {
    const extra = new Map([
      ['a/b.C', ['v w', 'x']],
      ['ü%', ['1']],
    ]);
    expect({ ...identityHeaders({ ...user, extra }) }).toEqual({
      'x-remote-user': 'ann',
      'x-remote-group': ['a', 'b'],
      'x-remote-extra-a%2fb.c': ['v w', 'x'],
      'x-remote-extra-%c3%bc%25': ['1'],
    });
    expect(identityHeaders({ ...user, uid: 'u' })['x-remote-uid']).toBe('u');
  });

  it('are refused for names that would end the header', () => {
    for (const name of ['a\r\nx-remote-group: system:masters', 'a\0'])
      expect(() => identityHeaders({ ...user, name })).toThrow(UnsendableHeaderError);
    expect(() => identityHeaders({ ...user, groups: ['a\nb'] })).toThrow(UnsendableHeaderError);
  });
});
