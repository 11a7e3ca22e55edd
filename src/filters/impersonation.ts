import type { Exchange } from '../connection/exchange.ts';
import { dns1123Label, dns1123Subdomain } from '../model/name-syntax.ts';
import { type Attributes, type Authorizer, resourceAccess } from '../request/attributes.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import { headerKey, headerText } from '../request/header-text.ts';
import {
  ANONYMOUS_USER,
  GROUP_AUTHENTICATED,
  GROUP_UNAUTHENTICATED,
  serviceAccountGroups,
  type UserInfo,
} from '../request/user.ts';
import { errors } from '../status/index.ts';
import { rejectForbidden } from './authorization-errors.ts';

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA_PREFIX = 'impersonate-extra-';
const ACCOUNT_PREFIX = 'system:serviceaccount:';
const IDENTITY_GROUP = 'authentication.k8s.io';

/** The requested identity. */
interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * Impersonates the requested identity if the user may `impersonate` every part of it.
 * @throws ApiError 403, 400 for parts without a user
 */
export function impersonationFilter(authorizer: Authorizer): Filter {
  return (context, next) => {
    const requested = wantedIdentity(context.exchange);
    if (requested === undefined) return next(context);
    return assume(authorizer, context, requested).then((user) => {
      context.audit?.setImpersonatedUser(user);
      context.user = user;
      return next(context);
    });
  };
}

/** Reads the identity from the headers; undefined if there is none. */
function wantedIdentity(exchange: Exchange): Wanted | undefined {
  // The first value of a repeated header counts: joined values would form the name of a third user.
  const name = headerText(exchange.headerValues(USER)[0] ?? '');
  const groups = exchange.headerValues(GROUP).map(headerText);
  const uid = headerText(exchange.headerValues(UID)[0] ?? '');
  const extra = new Map<string, string[]>();
  // The keys of extra attributes are part of the header names, so all headers are searched; they need a user.
  if (name !== '' || groups.length > 0 || uid !== '' || hasExtra(exchange)) {
    for (const [header, value] of exchange.headers()) {
      if (!header.toLowerCase().startsWith(EXTRA_PREFIX)) continue;
      const key = headerKey(header.slice(EXTRA_PREFIX.length).toLowerCase());
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [headerText(value)]);
      else values.push(headerText(value));
    }
  }
  if (name === '' && groups.length === 0 && uid === '' && extra.size === 0) return undefined;
  if (name === '')
    throw errors.badRequest(
      'requested impersonation of groups, a uid or extra attributes without impersonating a user: send Impersonate-User too',
    );
  return { name, uid, groups, extra };
}

function hasExtra(exchange: Exchange): boolean {
  for (const [header] of exchange.headers()) if (header.toLowerCase().startsWith(EXTRA_PREFIX)) return true;
  return false;
}

async function assume(
  authorizer: Authorizer,
  context: RequestContext,
  { name, uid, groups, extra }: Wanted,
): Promise<UserInfo> {
  const { user } = context;
  const check = async (parts: Pick<Attributes, 'resource' | 'name'> & Partial<Attributes>) => {
    const attributes = resourceAccess({ user, verb: 'impersonate', version: 'v1', ...parts });
    const { decision, reason } = await authorizer.authorize(attributes);
    if (decision !== 'allow') rejectForbidden(context, attributes, reason);
  };
  const account = serviceAccount(name);
  if (account !== undefined) await check({ resource: 'serviceaccounts', ...account });
  else await check({ resource: 'users', name });
  for (const group of groups) await check({ resource: 'groups', name: group });
  for (const [key, values] of extra)
    for (const value of values)
      await check({ group: IDENTITY_GROUP, resource: 'userextras', subresource: key, name: value });
  if (uid !== '') await check({ group: IDENTITY_GROUP, resource: 'uids', name: uid });
  return { name, uid, extra, groups: completeGroups(name, groups, account) };
}

/**
 * Parses the name of a service account. An empty namespace is rejected, since it would match every namespace.
 */
function serviceAccount(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace, name, ...more] = user.slice(ACCOUNT_PREFIX.length).split(':');
  if (namespace === undefined || name === undefined || more.length > 0) return undefined;
  return dns1123Label(namespace).length + dns1123Subdomain(name).length === 0
    ? { namespace, name }
    : undefined;
}

/** Adds the groups that are implied by the identity. */
function completeGroups(
  name: string,
  given: readonly string[],
  account: { namespace: string } | undefined,
): string[] {
  const groups = [...given];
  if (groups.length === 0 && account !== undefined) groups.push(...serviceAccountGroups(account.namespace));
  const requested = name === ANONYMOUS_USER ? GROUP_UNAUTHENTICATED : GROUP_AUTHENTICATED;
  if (!groups.includes(GROUP_UNAUTHENTICATED) && !groups.includes(requested)) groups.push(requested);
  return groups;
}
