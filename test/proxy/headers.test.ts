import { describe, expect, it } from 'vitest';
import { passedHeaders } from '../../src/proxy/headers.ts';

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
