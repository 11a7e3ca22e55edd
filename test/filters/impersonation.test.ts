import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { impersonationFilter } from '../../src/filters/impersonation.ts';
import type { Attributes, Authorizer } from '../../src/request/attributes.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';
import type { ApiError } from '../../src/status/index.ts';
import { request } from './context.ts';

type Headers = readonly (readonly [string, string])[];

const PAUL: UserInfo = { name: 'paul', uid: '', groups: ['system:authenticated'], extra: NO_EXTRA };

/** Formats the attributes of an authorization as `resource[/subresource] [namespace/]name`. */
const shown = ({ resource, subresource, namespace, name }: Attributes): string =>
  `${resource}${subresource && `/${subresource}`} ${namespace && `${namespace}/`}${name}`;

/** Allows Paul to impersonate `allowed`, and sends a request with these headers. */
async function impersonate(headers: Headers, allowed: (requested: string) => boolean = () => true) {
  const requested: string[] = [];
  const authorizer: Authorizer = {
    name: 'test',
    authorize: (attributes) => {
      expect(attributes).toMatchObject({ user: PAUL, verb: 'impersonate', isResource: true });
      requested.push(shown(attributes));
      return { decision: allowed(requested.at(-1)!) ? 'allow' : 'no-opinion', reason: '' };
    },
  };
  const { context } = request('GET', '/api/v1/pods');
  const exchange = Object.create(context.exchange, {
    headers: { value: () => headers },
    setHeader: { value: () => undefined },
    header: {
      value: (name: string) =>
        headers
          .filter(([key]) => key === name)
          .map(([, value]) => value)
          .join(', ') || undefined,
    },
    headerValues: {
      value: (name: string) => headers.filter(([key]) => key === name).map(([, value]) => value),
    },
  }) as Exchange;
  const own = { ...context, exchange, user: PAUL };
  let user: UserInfo | undefined;
  const next = (passed: { user: UserInfo }): void => {
    user = passed.user;
  };
  await impersonationFilter(authorizer, { isConstrained: false, selectors: false })(own, next);
  return { asked: requested, user: user! };
}

const failure = async (headers: Headers, allowed?: (requested: string) => boolean): Promise<ApiError> => {
  try {
    await impersonate(headers, allowed);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('it was let through');
};

describe('impersonation', () => {
  it('ignores requests without its headers', async () => {
    expect(await impersonate([['x-impersonate-user', 'ivy']])).toEqual({ asked: [], user: PAUL });
    // An empty name counts as absent.
    expect(await impersonate([['impersonate-user', '']])).toEqual({ asked: [], user: PAUL });
  });

  it('authorizes every part of the identity, and uses all of them', async () => {
    const { asked: requested, user } = await impersonate([
      ['impersonate-user', 'ivy'],
      ['impersonate-group', 'one'],
      ['impersonate-group', 'two'],
      ['impersonate-uid', 'u-9'],
      ['impersonate-extra-team', 'red'],
      ['impersonate-extra-team', 'blue'],
      ['impersonate-extra-acme.com%2Fkey', 'v'],
    ]);
    expect(requested).toEqual([
      'users ivy',
      'groups one',
      'groups two',
      'userextras/team red',
      'userextras/team blue',
      'userextras/acme.com/key v',
      'uids u-9',
    ]);
    const extra = new Map([
      ['team', ['red', 'blue']],
      ['acme.com/key', ['v']],
    ]);
    expect(user).toEqual({ name: 'ivy', uid: 'u-9', groups: ['one', 'two', 'system:authenticated'], extra });
  });

  it.each<[string, readonly string[], readonly string[], string]>([
    [
      'system:serviceaccount:default:robot',
      [],
      ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      'serviceaccounts default/robot',
    ],
    [
      'system:serviceaccount:default:robot',
      ['one'],
      ['one', 'system:authenticated'],
      'serviceaccounts default/robot',
    ],
    // Invalid service account names are user names: an empty namespace would match all service accounts.
    ['system:serviceaccount:default', [], ['system:authenticated'], 'users system:serviceaccount:default'],
    ['system:serviceaccount::robot', [], ['system:authenticated'], 'users system:serviceaccount::robot'],
    ['system:serviceaccount:default:', [], ['system:authenticated'], 'users system:serviceaccount:default:'],
    [
      'system:serviceaccount:default:a:b',
      [],
      ['system:authenticated'],
      'users system:serviceaccount:default:a:b',
    ],
    [
      'system:serviceaccount:de/fault:robot',
      [],
      ['system:authenticated'],
      'users system:serviceaccount:de/fault:robot',
    ],
    ['system:anonymous', [], ['system:unauthenticated'], 'users system:anonymous'],
    ['ivy', ['system:authenticated'], ['system:authenticated'], 'users ivy'],
    ['ivy', ['system:unauthenticated'], ['system:unauthenticated'], 'users ivy'],
    ['ivy', [''], ['', 'system:authenticated'], 'users ivy'],
  ])('%s with %j is in %j', async (name, given, groups, first) => {
    const { asked: requested, user } = await impersonate([
      ['impersonate-user', name],
      ...given.map((group) => ['impersonate-group', group] as const),
    ]);
    expect(user).toMatchObject({ name, groups });
    expect(requested).toEqual([first, ...given.map((group) => `groups ${group}`)]);
  });

  it.each<[string, Headers]>([
    ['groups', [['impersonate-group', 'one']]],
    ['an empty group', [['impersonate-group', '']]],
    ['a uid', [['impersonate-uid', 'u']]],
    ['extra', [['impersonate-extra-a', 'b']]],
    ['extra of no name', [['impersonate-extra-', 'b']]],
    [
      'groups and an empty user',
      [
        ['impersonate-user', ''],
        ['impersonate-group', 'system:masters'],
      ],
    ],
    [
      'extra and an empty user before another',
      [
        ['impersonate-user', ''],
        ['impersonate-user', 'ivy'],
        ['impersonate-extra-a', 'b'],
      ],
    ],
  ])('rejects %s without a user', async (_what, headers) => {
    expect(await failure(headers)).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it.each<[string, Headers, string]>([
    [
      'users ivy',
      [['impersonate-user', 'ivy']],
      'users "ivy" is forbidden: User "paul" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      'groups two',
      [
        ['impersonate-user', 'ivy'],
        ['impersonate-group', 'one'],
        ['impersonate-group', 'two'],
      ],
      'groups "two" is forbidden: User "paul" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'userextras/team blue',
      [
        ['impersonate-user', 'ivy'],
        ['impersonate-extra-team', 'red'],
        ['impersonate-extra-team', 'blue'],
      ],
      'userextras.authentication.k8s.io "blue" is forbidden: User "paul" cannot impersonate resource "userextras/team" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      'uids u',
      [
        ['impersonate-user', 'ivy'],
        ['impersonate-uid', 'u'],
      ],
      'uids.authentication.k8s.io "u" is forbidden: User "paul" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      'serviceaccounts default/robot',
      [['impersonate-user', 'system:serviceaccount:default:robot']],
      'serviceaccounts "robot" is forbidden: User "paul" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
    ],
  ])('%s, not allowed: 403 with the text of kube-apiserver', async (refused, headers, message) => {
    expect(await failure(headers, (requested) => requested !== refused)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message,
    });
  });

  it('uses the first of repeated user headers, not the joined value', async () => {
    const { asked: requested, user } = await impersonate([
      ['impersonate-user', 'ivy'],
      ['impersonate-user', 'admin'],
    ]);
    expect([requested, user.name]).toEqual([['users ivy'], 'ivy']);
  });

  it('decodes names as UTF-8 and keys in lower case; keeps undecodable text', async () => {
    const { user } = await impersonate([
      ['impersonate-user', Buffer.from('jürgen').toString('latin1')],
      ['impersonate-group', '\xff'],
      ['impersonate-group', '你'],
      ['impersonate-extra-%E4%BD%A0', 'a'],
      ['impersonate-extra-%zz', 'b'],
      ['impersonate-extra-__proto__', 'c'],
      ['impersonate-extra-TEAM', 'd'],
    ]);
    expect(user.name).toBe('jürgen');
    expect(user.groups.slice(0, 2)).toEqual(['\xff', '你']);
    expect([...user.extra.keys()]).toEqual(['你', '%zz', '__proto__', 'team']);
  });
});
