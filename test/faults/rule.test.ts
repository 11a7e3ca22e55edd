import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FaultSubject, Faults } from '../../src/faults/faults.ts';
import { FaultRuleError, readRule } from '../../src/faults/rule.ts';
import { Query } from '../../src/request/query.ts';
import { parseRequestInfo } from '../../src/request/request-info.ts';

const subjectOf = (method: string, target: string, user = 'jane', isOwn = false): FaultSubject => {
  const [path = '', parameters = ''] = target.split('?');
  const query = new Query(parameters);
  const info = parseRequestInfo(method, path, { watch: query.has('watch'), fieldSelectorName: undefined });
  return { info, query, user, isOwn };
};
const MAPS = '/api/v1/namespaces/default/configmaps';
const MAP = `${MAPS}/a`;

describe('a rule of faults', () => {
  it.each([
    ['x', 'a rule is an object'],
    [[], 'a rule is an object'],
    [{}, 'a rule has one of status, delay, cut, endWatch, delayEvents, expire, stale'],
    [{ status: 409, cut: 'before' }, 'a rule has one of'],
    [{ status: 404 }, 'status must be 409, 429, 500 or 503'],
    [{ cut: 'between' }, 'cut must be before or after'],
    [{ expire: false }, 'expire must be true'],
    [{ delay: 'soon' }, 'delay must be milliseconds or a duration'],
    [{ delay: '2m' }, 'at most 60 s'],
    [{ delay: -1 }, 'delay must be'],
    [{ status: 500, share: 2 }, 'share must be from 0 to 1'],
    [{ status: 500, count: 1.5 }, 'count must be a whole number'],
    [{ status: 500, verbs: 'get' }, 'verbs must be a list of texts'],
    [{ status: 500, verbs: Array(101).fill('get') }, 'verbs has more than 100 items'],
    [{ status: 500, kind: 'Pod' }, 'unknown member "kind"'],
    [JSON.parse('{"status":500,"__proto__":1}'), 'unknown member "__proto__"'],
  ])('%j is refused', (rule, message) => {
    expect(() => readRule(rule)).toThrow(FaultRuleError);
    expect(() => readRule(rule)).toThrow(message);
  });

  it('is one of at most 100', () => {
    const faults = new Faults();
    for (let index = 0; index < 100; index += 1) faults.add({ status: 500 });
    expect(() => faults.add({ status: 500 })).toThrow('there are 100 rules');
  });

  it('concerns requests by verb, resource, subresource, namespace, name and user', () => {
    const faults = new Faults();
    faults.add({
      status: 409,
      verbs: ['update'],
      resources: ['deployments.apps'],
      subresources: ['status'],
      namespaces: ['default'],
      names: ['web'],
      users: ['jane'],
    });
    const path = '/apis/apps/v1/namespaces/default/deployments/web/status';
    expect(faults.decide(subjectOf('PUT', path))?.status).toBe(409);
    for (const other of [
      subjectOf('PATCH', path),
      subjectOf('PUT', path, 'joe'),
      subjectOf('PUT', path.replace('/status', '')),
      subjectOf('PUT', path.replace('web', 'other')),
      subjectOf('PUT', path.replace('default', 'other')),
      subjectOf('PUT', path.replace('deployments', 'daemonsets')),
    ])
      expect(faults.decide(other)).toBeUndefined();
    expect(faults.list()).toMatchObject([{ id: '1', matched: 1, injected: 1 }]);
  });

  it("spares paths without resource and the server's own requests, unless their users are named", () => {
    const faults = new Faults();
    faults.add({ status: 500 });
    for (const path of ['/healthz', '/clusters', '/faults', '/apis', '/openapi/v3'])
      expect(faults.decide(subjectOf('GET', path))).toBeUndefined();
    expect(faults.decide(subjectOf('GET', MAP, 'system:controller', true))).toBeUndefined();
    faults.add({ status: 503, users: ['system:controller'] });
    expect(faults.decide(subjectOf('GET', MAP, 'system:controller', true))?.status).toBe(503);
  });

  it('skips, and ends after a count', () => {
    const faults = new Faults();
    faults.add({ status: 500, skip: 2, count: 3 });
    const happened = Array.from({ length: 8 }, () => faults.decide(subjectOf('GET', MAP)) !== undefined);
    expect(happened).toEqual([false, false, true, true, true, false, false, false]);
    expect(faults.list()[0]).toMatchObject({ matched: 8, injected: 3 });
  });

  it('gives the same faults for the same seed and requests, about as many as its share', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) => {
        const run = () => {
          const faults = new Faults();
          faults.add({ status: 500, seed, share });
          return Array.from({ length: 400 }, () => faults.decide(subjectOf('GET', MAP)) !== undefined);
        };
        const happened = run();
        expect(run()).toEqual(happened);
        const count = happened.filter((one) => one).length;
        expect(Math.abs(count - 400 * share)).toBeLessThan(100);
      }),
    );
  });

  it.each([
    [{ stale: 1 }, ['?resourceVersion=0', '?resourceVersion=0&limit=5']],
    [
      { expire: true },
      ['?resourceVersion=7', '?continue=x', '?watch=1&resourceVersion=7', '?resourceVersion=7&limit=5'],
    ],
    [{ endWatch: 0 }, ['?watch=1', '?watch=1&resourceVersion=7', '?watch=1&resourceVersion=0']],
    [{ delayEvents: 0 }, ['?watch=1', '?watch=1&resourceVersion=7', '?watch=1&resourceVersion=0']],
  ] as const)('%j happens to the requests that it can happen to, and counts them', (rule, concerned) => {
    const faults = new Faults();
    faults.add(rule);
    const targets = [
      '',
      '?limit=5',
      '?continue=x',
      '?resourceVersion=0',
      '?resourceVersion=0&limit=5',
      '?resourceVersion=7',
      '?resourceVersion=7&limit=5',
      '?watch=1',
      '?watch=1&resourceVersion=0',
      '?watch=1&resourceVersion=7',
    ];
    const happened = targets.filter((target) => faults.decide(subjectOf('GET', MAPS + target)) !== undefined);
    expect(happened.sort()).toEqual([...concerned].sort());
    expect(faults.decide(subjectOf('GET', MAP))).toBeUndefined();
    expect(faults.list()).toMatchObject([{ matched: concerned.length, injected: concerned.length }]);
  });
});
