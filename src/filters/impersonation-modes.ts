import { forbiddenError } from '../authorization/forbidden.ts';
import { BoundedMap } from '../collections/bounded-map.ts';
import { quote } from '../errors/quote.ts';
import { validateDomainPrefixedPath } from '../kinds/validation/fields.ts';
import { dns1123Label, dns1123Subdomain } from '../model/name-syntax.ts';
import {
  type Attributes,
  type Authorizer,
  type AuthorizerResult,
  resourceAccess,
} from '../request/attributes.ts';
import {
  ANONYMOUS_USER,
  GROUP_AUTHENTICATED,
  GROUP_MASTERS,
  GROUP_UNAUTHENTICATED,
  serviceAccountGroups,
  type UserInfo,
} from '../request/user.ts';
import { ApiError } from '../status/api-error.ts';
import { formatFieldError } from '../status/field-error.ts';

/** The identity that a request asks for. */
export interface WantedIdentity {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The user that a request acts as. */
export interface AssumedIdentity {
  readonly user: UserInfo;
  /** The verb that allowed it; undefined for `impersonate`, which constrains nothing. */
  readonly constraint?: string;
}

/** One way to be allowed to act as a user. */
interface Mode {
  /** The verb for the parts of the identity. */
  readonly verb: string;
  /** The group in which users and groups are authorized. */
  readonly group: string;
  readonly isConstrained: boolean;
  /** Whether it is about such an identity. */
  applies(wanted: WantedIdentity, requester: UserInfo): boolean;
  /** Returns the attributes to authorize instead of the given ones. */
  adapt?(attributes: Attributes): Attributes;
}

const IDENTITY_GROUP = 'authentication.k8s.io';
const ACCOUNT_PREFIX = 'system:serviceaccount:';
const NODE_PREFIX = 'system:node:';
const GROUP_NODES = 'system:nodes';
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const ASSOCIATED_KEYS = 'authentication.kubernetes.io/associated-node-keys';
/** From so many values on, one authorization of all is tried before one of each. */
const MANY_VALUES = 4;
/** Users whose last mode is remembered. */
const REMEMBERED_USERS = 10_000;

const LEGACY: Mode = { verb: 'impersonate', group: '', isConstrained: false, applies: () => true };

const constrained = (name: string, applies: Mode['applies'], adapt?: Mode['adapt']): Mode => ({
  verb: `impersonate:${name}`,
  group: IDENTITY_GROUP,
  isConstrained: true,
  applies,
  ...(adapt === undefined ? {} : { adapt }),
});

const ASSOCIATED_NODE = 'impersonate:associated-node';

/** In the order in which they are tried. */
const MODES: readonly Mode[] = [
  constrained(
    'associated-node',
    (wanted, requester) => hasOnlyName(wanted) && isOnNode(requester, nodeOf(wanted.name)),
    // It allows whatever node the account runs on.
    (attributes) => ({
      ...attributes,
      user: {
        ...attributes.user,
        extra: new Map([[ASSOCIATED_KEYS, [...attributes.user.extra.keys()].sort()]]),
      },
      name: attributes.verb === ASSOCIATED_NODE ? '*' : attributes.name,
    }),
  ),
  constrained('arbitrary-node', (wanted) => hasOnlyName(wanted) && nodeOf(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => hasOnlyName(wanted) && accountOf(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined),
  LEGACY,
];

/** Checks whether a user may impersonate another identity, in one of the modes. */
export class ImpersonationModes {
  /** The mode that last allowed something to a user, by name: it is tried first. */
  readonly #last = new BoundedMap<string, Mode>(REMEMBERED_USERS);

  /** @param isConstrained whether there are other modes than `impersonate` (gate ConstrainedImpersonation) */
  constructor(
    private readonly authorizer: Authorizer,
    private readonly isConstrained: boolean,
  ) {}

  /**
   * The user that the request may act as. Rejects with ApiError 403: that of the first mode.
   * @param request attributes of the request itself
   */
  async assume(wanted: WantedIdentity, request: Attributes): Promise<AssumedIdentity> {
    if (!this.isConstrained) return this.#assumeIn(LEGACY, wanted, request);
    const { user: requester } = request;
    const last = this.#last.get(requester.name);
    const order = last === undefined ? MODES : [last, ...MODES.filter((mode) => mode !== last)];
    let first: ApiError | undefined;
    for (const mode of order) {
      if (!mode.applies(wanted, requester)) continue;
      try {
        const assumed = await this.#assumeIn(mode, wanted, request);
        this.#last.set(requester.name, mode);
        return assumed;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        first ??= error;
      }
    }
    throw first;
  }

  async #assumeIn(mode: Mode, wanted: WantedIdentity, request: Attributes): Promise<AssumedIdentity> {
    const check = new PartsCheck(this.authorizer, mode, request.user, this.isConstrained);
    if (mode.isConstrained) {
      const verb = `impersonate-on:${mode.verb.slice('impersonate:'.length)}:${request.verb}`;
      await check.authorize({ ...request, verb });
    }
    await check.run(wanted);
    const { name, uid, extra } = wanted;
    const user = { name, uid, extra, groups: completeGroups(wanted, mode) };
    return mode.isConstrained ? { user, constraint: mode.verb } : { user };
  }
}

/** Authorizes the parts of an identity in one mode. */
class PartsCheck {
  constructor(
    private readonly authorizer: Authorizer,
    private readonly mode: Mode,
    private readonly user: UserInfo,
    /** Whether kube-apiserver has modes: the uid comes first then, and errors of authorizers are shown. */
    private readonly hasModes: boolean,
  ) {}

  async run(wanted: WantedIdentity): Promise<void> {
    await this.#name(wanted.name);
    if (this.hasModes) await this.#uid(wanted.uid);
    await this.#groups(wanted.groups);
    await this.#extra(wanted.extra);
    if (!this.hasModes) await this.#uid(wanted.uid);
  }

  /** Rejects with ApiError 403. */
  async authorize(given: Attributes): Promise<void> {
    const attributes = this.mode.adapt?.(given) ?? given;
    const result = await this.authorizer.authorize(attributes);
    if (result.decision !== 'allow')
      throw forbiddenError(attributes, this.hasModes ? reasonOf(result) : result.reason);
  }

  #attributes(parts: Pick<Attributes, 'resource'> & Partial<Attributes>): Attributes {
    return resourceAccess({ user: this.user, verb: this.mode.verb, version: 'v1', ...parts });
  }

  #name(name: string): Promise<void> {
    const { group, isConstrained } = this.mode;
    const node = isConstrained ? nodeOf(name) : undefined;
    const account = accountOf(name);
    if (node !== undefined) return this.authorize(this.#attributes({ group, resource: 'nodes', name: node }));
    return this.authorize(
      this.#attributes(
        account === undefined
          ? { group, resource: 'users', name }
          : { group, resource: 'serviceaccounts', ...account },
      ),
    );
  }

  async #uid(uid: string): Promise<void> {
    if (uid !== '')
      await this.authorize(this.#attributes({ group: IDENTITY_GROUP, resource: 'uids', name: uid }));
  }

  async #groups(groups: readonly string[]): Promise<void> {
    const { group, isConstrained } = this.mode;
    const attributes = this.#attributes({ group, resource: 'groups' });
    if (isConstrained) {
      if (groups.includes(''))
        throw forbiddenError(attributes, 'impersonating the empty string group is not allowed');
      if (groups.includes(GROUP_MASTERS))
        throw forbiddenError(
          { ...attributes, name: GROUP_MASTERS },
          'impersonating the system:masters group is not allowed',
        );
      if (groups.length >= MANY_VALUES && (await this.#allows({ ...attributes, name: '*' }))) return;
    }
    for (const name of groups) await this.authorize({ ...attributes, name });
  }

  async #extra(extra: WantedIdentity['extra']): Promise<void> {
    const attributes = this.#attributes({ group: IDENTITY_GROUP, resource: 'userextras' });
    if (this.mode.isConstrained) {
      const problem = extraProblem(extra);
      if (problem !== undefined) throw forbiddenError(attributes, problem);
      const values = [...extra.values()].reduce((sum, one) => sum + one.length, 0);
      const all = { ...attributes, subresource: '*', name: '*' };
      if (Math.max(extra.size, values) >= MANY_VALUES && (await this.#allows(all))) return;
    }
    for (const [subresource, values] of extra)
      for (const name of values) await this.authorize({ ...attributes, subresource, name });
  }

  async #allows(attributes: Attributes): Promise<boolean> {
    return (
      (await this.authorizer.authorize(this.mode.adapt?.(attributes) ?? attributes)).decision === 'allow'
    );
  }
}

function reasonOf({ reason, error }: AuthorizerResult): string {
  if (error === undefined) return reason;
  return reason === '' ? error.message : `${error.message}: ${reason}`;
}

/** Why extra attributes cannot be assumed in a constrained mode. */
function extraProblem(extra: WantedIdentity['extra']): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const [invalid] = validateDomainPrefixedPath(key, 'extra.key');
    if (invalid !== undefined)
      return `impersonating an invalid key in extra is not allowed: ${formatFieldError(invalid)}`;
    if (key !== key.toLowerCase())
      return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

const hasOnlyName = ({ uid, groups, extra }: WantedIdentity): boolean =>
  uid === '' && groups.length === 0 && extra.size === 0;

/** Whether a user is a service account whose token is bound to a pod on a node. */
const isOnNode = ({ name, extra }: UserInfo, node: string | undefined): boolean =>
  node !== undefined &&
  accountOf(name) !== undefined &&
  extra.get(NODE_NAME)?.length === 1 &&
  extra.get(NODE_NAME)![0] === node;

/** The node of a user name. */
function nodeOf(user: string): string | undefined {
  if (!user.startsWith(NODE_PREFIX)) return undefined;
  const name = user.slice(NODE_PREFIX.length);
  return dns1123Subdomain(name).length === 0 ? name : undefined;
}

/**
 * Parses the name of a service account. An empty namespace is rejected, since it would match every namespace.
 */
function accountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace, name, ...more] = user.slice(ACCOUNT_PREFIX.length).split(':');
  if (namespace === undefined || name === undefined || more.length > 0) return undefined;
  return dns1123Label(namespace).length + dns1123Subdomain(name).length === 0
    ? { namespace, name }
    : undefined;
}

/** Adds the groups that are implied by the identity. */
function completeGroups({ name, groups: given }: WantedIdentity, { isConstrained }: Mode): string[] {
  const account = accountOf(name);
  const groups = [...given];
  if (isConstrained && nodeOf(name) !== undefined) groups.push(GROUP_NODES);
  if (groups.length === 0 && account !== undefined) groups.push(...serviceAccountGroups(account.namespace));
  const requested = name === ANONYMOUS_USER ? GROUP_UNAUTHENTICATED : GROUP_AUTHENTICATED;
  if (!groups.includes(GROUP_UNAUTHENTICATED) && !groups.includes(requested)) groups.push(requested);
  return groups;
}
