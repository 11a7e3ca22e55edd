import { expect, it } from 'vitest';
import { ImpersonationModes, type WantedIdentity } from '../../src/filters/impersonation-modes.ts';
import { type Attributes, resourceAccess } from '../../src/request/attributes.ts';
import { NO_EXTRA, serviceAccountUser, type UserInfo } from '../../src/request/user.ts';

const PAUL: UserInfo = { name: 'paul', uid: '', groups: [], extra: NO_EXTRA };
const ON_NODE = serviceAccountUser(
  'n',
  'agent',
  '',
  new Map([['authentication.kubernetes.io/node-name', ['one']]]),
);

const shown = ({ verb, group, resource, subresource, namespace, name }: Attributes): string =>
  `${verb} ${resource}${subresource && `/${subresource}`}${group && `.${group}`} ${namespace && `${namespace}/`}${name}`;

/** Modes for users who may do what `allowed` says; collects what was asked. */
function modesWith(allowed: (asked: string, attributes: Attributes) => boolean) {
  const asked: string[] = [];
  const modes = new ImpersonationModes(
    {
      name: 'test',
      authorize(attributes) {
        asked.push(shown(attributes));
        return { decision: allowed(asked.at(-1)!, attributes) ? 'allow' : 'no-opinion', reason: '' };
      },
    },
    true,
  );
  const assume = async (wanted: Partial<WantedIdentity>, user = PAUL) => {
    asked.length = 0;
    const identity = { name: 'ivy', uid: '', groups: [], extra: NO_EXTRA, ...wanted };
    const request = resourceAccess({ user, verb: 'list', resource: 'pods', namespace: 'n' });
    try {
      return await modes.assume(identity, request);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { asked, assume };
}

const ALL_BUT_LEGACY = (asked: string): boolean => !asked.startsWith('impersonate ');

it('asks for the request and for each part', async () => {
  const { asked, assume } = modesWith(ALL_BUT_LEGACY);
  const extra = new Map([['a.test/b', ['c']]]);
  expect(await assume({ uid: 'u', groups: ['g'], extra })).toEqual({
    user: { name: 'ivy', uid: 'u', groups: ['g', 'system:authenticated'], extra },
    constraint: 'impersonate:user-info',
  });
  expect(asked).toEqual([
    'impersonate-on:user-info:list pods n/',
    'impersonate:user-info users.authentication.k8s.io ivy',
    'impersonate:user-info uids.authentication.k8s.io u',
    'impersonate:user-info groups.authentication.k8s.io g',
    'impersonate:user-info userextras/a.test/b.authentication.k8s.io c',
  ]);
});

it.each<[string, UserInfo, string, string[]]>([
  ['system:node:one', ON_NODE, 'associated-node', ['system:nodes', 'system:authenticated']],
  ['system:node:two', ON_NODE, 'arbitrary-node', ['system:nodes', 'system:authenticated']],
  [
    'system:serviceaccount:n:a',
    PAUL,
    'serviceaccount',
    ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
  ],
  ['system:anonymous', PAUL, 'user-info', ['system:unauthenticated']],
])('%s by %o in the mode %s', async (name, requester, mode, groups) => {
  const { assume } = modesWith(ALL_BUT_LEGACY);
  expect(await assume({ name }, requester)).toMatchObject({
    user: { name, groups },
    constraint: `impersonate:${mode}`,
  });
});

it('asks about the node of an account whatever its name, and shows the keys of its attributes', async () => {
  const users: Attributes['user'][] = [];
  const { asked, assume } = modesWith((_asked, { user }) => users.push(user) > 0);
  await assume({ name: 'system:node:one' }, ON_NODE);
  expect(asked.at(-1)).toBe('impersonate:associated-node nodes.authentication.k8s.io *');
  expect([...users[0]!.extra]).toEqual([
    ['authentication.kubernetes.io/associated-node-keys', ['authentication.kubernetes.io/node-name']],
  ]);
});

it('falls back to the old verb, which is tried first from then on', async () => {
  const { asked, assume } = modesWith((one) => one.startsWith('impersonate '));
  expect(await assume({})).toEqual({ user: expect.objectContaining({ name: 'ivy' }) });
  expect(asked).toEqual(['impersonate-on:user-info:list pods n/', 'impersonate users ivy']);
  await assume({});
  expect(asked).toEqual(['impersonate users ivy']);
});

it('answers the refusal of the first mode', async () => {
  const { assume } = modesWith(() => false);
  expect(await assume({})).toBe(
    'pods is forbidden: User "paul" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "n"',
  );
});

it('assumes many groups by one permission, but never system:masters', async () => {
  const { asked, assume } = modesWith(ALL_BUT_LEGACY);
  await assume({ groups: ['a', 'b', 'c', 'd'] });
  expect(asked.at(-1)).toBe('impersonate:user-info groups.authentication.k8s.io *');
  expect(await assume({ groups: ['system:masters'] })).toContain(
    'impersonating the system:masters group is not allowed',
  );
  expect(await assume({ extra: new Map([['Key', ['v']]]) })).toContain('in extra is not allowed');
});
