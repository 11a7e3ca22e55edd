import { describe, expect, it } from 'vitest';
import {
  identityHeaders,
  passedHeaders,
  UnsendableHeaderError,
} from '../../../src/extensions/aggregation/proxy-headers.ts';

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

describe('the headers of a request', () => {
  it('are passed on apart from those of the connection, identities and credentials', () => {
    const headers: (readonly [string, string])[] = [
      ['accept', 'a'],
      ['x-two', '1'],
      ['x-two', '2'],
      ['cookie', 'a=b'],
      ['cookie', 'c=d'],
      ['te', 'trailers'],
      ['connection', 'keep-alive, X-Listed'],
      ['x-listed', '1'],
      ['__proto__', 'data'],
      ['proxy-authorization', 'secret'],
      ['x-remote-extra-scope', 'forged'],
      ['impersonate-extra-scope', 'forged'],
      ['sec-websocket-protocol', 'base64url.bearer.authorization.k8s.io.eA'],
    ];
    const passed = passedHeaders(headers);
    expect(Object.entries(passed)).toEqual([
      ['accept', 'a'],
      ['x-two', ['1', '2']],
      ['cookie', 'a=b; c=d'],
      ['te', 'trailers'],
      ['__proto__', 'data'],
    ]);
  });
});
