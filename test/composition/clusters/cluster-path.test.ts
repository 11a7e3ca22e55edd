import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isClusterName, routeOf } from '../../../src/composition/clusters/cluster-path.ts';

describe('the path of a cluster', () => {
  it.each([
    ['/clusters/a/', 'a'],
    ['/clusters/a/api/v1/pods?watch=1', 'a'],
    ['/clusters/a/clusters/b/api', 'a'],
    ['/clusters/a//api', 'a'],
    ['/clusters/a/clock/x', 'a'],
  ])('%s leads to a further cluster', (target, name) => {
    expect(routeOf(target)).toEqual({ kind: 'further', name });
  });

  it.each([
    '/',
    '/api/v1/pods?x=/clusters/a/',
    '/api/v1/namespaces/clusters/pods',
    '/api/v1/namespaces/a%2Fclusters',
    '/clusters',
    '/clusters?x',
    '/clusters/a',
    '/clusters/a?cascade=true',
    '/clusters/a/reset',
    '/clusters/a/clock?x',
    '/clusters/a/faults',
    '/clustersx/a/api',
  ])('%s leads to the first cluster', (target) => {
    expect(routeOf(target)).toEqual({ kind: 'first' });
  });

  it.each([
    '/clusters/',
    '/clusters//a/api',
    '//clusters/a/api',
    '/./clusters/a/api',
    '/x/../%63lusters/a/api',
    '/%63lusters/a/api',
    '/clusters%2fa/api',
    '/clusters/%61/api',
    '/clusters/A/api',
    '/clusters/a%2fapi',
    '/clusters/../clusters/a/api',
    '/clusters/a/../b/api',
    '/clusters/a/%2e%2e/b/api',
    '/clusters/a/./api',
    '/clusters/a/x%2f..%2fapi',
    '/clusters/-a/api',
    `/clusters/${'a'.repeat(64)}/api`,
    '/clusters/a%00/api',
  ])('%s leads nowhere', (target) => {
    expect(routeOf(target)).toEqual({ kind: 'misspelt' });
  });

  it('has one spelling', () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,5}[a-z0-9])?$/);
    const part = fc.constantFrom(
      '/',
      '//',
      '/.',
      '/..',
      '%2f',
      '%2e',
      '/clusters',
      '/%63lusters',
      'a',
      'b',
      '%',
    );
    fc.assert(
      fc.property(name, fc.array(part, { maxLength: 6 }), (cluster, parts) => {
        const route = routeOf(parts.join(''));
        if (route.kind === 'further')
          expect(parts.join('').startsWith(`/clusters/${route.name}/`)).toBe(true);
        expect(isClusterName(cluster)).toBe(true);
        expect(routeOf(`/clusters/${cluster}/api`)).toEqual({ kind: 'further', name: cluster });
      }),
    );
  });
});
