import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../../src/request/request-info.ts';

const NO_QUERY = { watch: false, fieldSelectorName: undefined };
const parse = (
  method: string,
  path: string,
  query: { watch: boolean; fieldSelectorName: string | undefined } = NO_QUERY,
) => parseRequestInfo(method, path, query);

describe('parseRequestInfo', () => {
  it.each([
    ['GET', '/api/v1/pods', { verb: 'list', resource: 'pods', namespace: '' }],
    ['GET', '/api/v1/namespaces/n/pods', { verb: 'list', resource: 'pods', namespace: 'n', name: '' }],
    [
      'GET',
      '/api/v1/namespaces/n/pods/p',
      { verb: 'get', resource: 'pods', namespace: 'n', name: 'p', pathName: 'p', subresource: '' },
    ],
    ['HEAD', '/api/v1/namespaces/n/pods/p', { verb: 'get' }],
    ['PUT', '/api/v1/namespaces/n/pods/p/status', { verb: 'update', name: 'p', subresource: 'status' }],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/n/deployments/d',
      { verb: 'patch', apiPrefix: 'apis', group: 'apps', version: 'v1', resource: 'deployments' },
    ],
    [
      'POST',
      '/api/v1/namespaces/n/pods/p/proxy/a/b',
      { verb: 'create', subresource: 'proxy', rest: ['a', 'b'] },
    ],
    ['DELETE', '/api/v1/nodes/n', { verb: 'delete', resource: 'nodes', name: 'n', namespace: '' }],
    ['DELETE', '/api/v1/nodes', { verb: 'deletecollection', name: '' }],
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', name: '', namespace: '' }],
    ['GET', '/api/v1/namespaces/n', { verb: 'get', resource: 'namespaces', name: 'n', namespace: 'n' }],
    ['PUT', '/api/v1/namespaces/n/finalize', { resource: 'namespaces', name: 'n', subresource: 'finalize' }],
    [
      'GET',
      '/api/v1/watch/namespaces/n/pods',
      { verb: 'watch', legacyWatch: true, resource: 'pods', namespace: 'n' },
    ],
    ['GET', '//api/v1/pods/', { verb: 'list', resource: 'pods' }],
  ])('%s %s', (method, path, expected) => {
    expect(parse(method, path)).toMatchObject({ isResource: true, ...expected });
  });

  it.each([
    '/',
    '/healthz',
    '/api',
    '/api/v1',
    '/apis/apps',
    '/apis/apps/v1',
    '/openapi/v3/apis/apps/v1',
    '/api/v1/watch',
  ])('%s is not a resource path', (path) => {
    expect(parse('GET', path)).toMatchObject({
      isResource: false,
      path,
      verb: 'get',
      resource: '',
      rest: [],
    });
  });

  it('parses a list with ?watch as a watch, and a name from the field selector', () => {
    expect(parse('GET', '/api/v1/pods', { watch: true, fieldSelectorName: 'p' })).toMatchObject({
      verb: 'watch',
      name: 'p',
      pathName: '',
    });
    expect(
      parse('GET', '/api/v1/namespaces/n/pods/p', { watch: true, fieldSelectorName: undefined }),
    ).toMatchObject({ verb: 'watch', name: 'p' });
    expect(
      parse('GET', '/api/v1/namespaces/n/pods/p/log', { watch: true, fieldSelectorName: undefined }),
    ).toMatchObject({ verb: 'get' });
  });
});
