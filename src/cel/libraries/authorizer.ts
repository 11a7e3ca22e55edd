import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import { PATTERN_FACTOR, TRAVERSAL_FACTOR } from '../cost/runtime.ts';
import { Halt } from '../planner/halt.ts';
import { ErrorValue } from '../values/error-value.ts';
import { sizeOf } from '../values/size.ts';
import type { Value } from '../values/value.ts';
import type { AuthorizationQuery } from './authorization-source.ts';
import { AuthorizerValue, DecisionValue } from './authorizer-values.ts';
import type { CallCost, CelFunction, Implementation } from './function.ts';

const CHECK_COST = 350_000;
const AUTHORIZER = 'kubernetes.authorization.Authorizer';
const PATH = 'kubernetes.authorization.PathCheck';
const GROUP = 'kubernetes.authorization.GroupCheck';
const RESOURCE = 'kubernetes.authorization.ResourceCheck';
const DECISION = 'kubernetes.authorization.Decision';

/** The cost of a list literal, of traversing the selector, and of one requirement per two characters. */
const selectorCost: CallCost = (_frame, _check, selector) => {
  const length = sizeOf(selector);
  return 10 + Math.ceil(length * TRAVERSAL_FACTOR) + Math.ceil(Math.ceil(length * 2 * PATTERN_FACTOR) * 50);
};

const withQueryPart = (
  value: Value,
  kind: 'PathCheck' | 'GroupCheck' | 'ResourceCheck',
  change: Partial<AuthorizationQuery>,
): Value => {
  const { source, query } = value as AuthorizerValue;
  return new AuthorizerValue(kind, source, { ...query, ...change });
};

/** A member function that adds a text to the query. */
const builder = (
  name: string,
  id: string,
  receiver: string,
  build: (value: Value, text: string) => Value,
  cost?: CallCost,
): CelFunction => ({
  name,
  overloads: [
    { id, arguments: [receiver, 'string'], invoke: (_frame, value, text) => build(value, text as string) },
  ],
  ...(cost === undefined ? {} : { cost }),
});

const detail = (name: 'subresource' | 'namespace' | 'name'): CelFunction =>
  builder(name, `resourcecheck_${name}`, RESOURCE, (value, text) =>
    withQueryPart(value, 'ResourceCheck', { [name]: text }),
  );

const check: Implementation = (frame, value, verb) => {
  const { source, query } = value as AuthorizerValue;
  // A check that exceeds the limit is not sent to the authorizer.
  frame.ensureAffordable(CHECK_COST);
  const decision = source.check({ ...query, verb: verb as string });
  if (decision instanceof Promise) throw new Halt('suspended', decision);
  return new DecisionValue(decision);
};

const decisionMember = (name: string, read: (decision: DecisionValue['decision']) => Value): CelFunction => ({
  name,
  overloads: [
    {
      id: `decision_${name}`,
      arguments: [DECISION],
      invoke: (_frame, decision) => read((decision as DecisionValue).decision),
    },
  ],
});

const serviceAccount: Implementation = (_frame, value, namespace, name) => {
  if (dns1123Subdomain(name as string).length > 0) return new ErrorValue('Invalid service account name');
  if (dns1123Label(namespace as string).length > 0)
    return new ErrorValue('Invalid service account namespace');
  const { source, query } = value as AuthorizerValue;
  const account = { namespace: namespace as string, name: name as string };
  return new AuthorizerValue('Authorizer', source, { ...query, serviceAccount: account });
};

/** Functions of the authorizer library. */
export const AUTHORIZER_FUNCTIONS: readonly CelFunction[] = [
  builder('path', 'authorizer_path', AUTHORIZER, (value, path) =>
    path === '' ? new ErrorValue('path must not be empty') : withQueryPart(value, 'PathCheck', { path }),
  ),
  builder('group', 'authorizer_group', AUTHORIZER, (value, group) =>
    withQueryPart(value, 'GroupCheck', { group }),
  ),
  builder('resource', 'groupcheck_resource', GROUP, (value, resource) =>
    resource === ''
      ? new ErrorValue('resource must not be empty')
      : withQueryPart(value, 'ResourceCheck', { resource }),
  ),
  detail('subresource'),
  detail('namespace'),
  detail('name'),
  builder(
    'fieldSelector',
    'authorizer_fieldselector',
    RESOURCE,
    (value, text) => withQueryPart(value, 'ResourceCheck', { fieldSelector: text }),
    selectorCost,
  ),
  builder(
    'labelSelector',
    'authorizer_labelselector',
    RESOURCE,
    (value, text) => withQueryPart(value, 'ResourceCheck', { labelSelector: text }),
    selectorCost,
  ),
  {
    name: 'serviceAccount',
    overloads: [
      {
        id: 'authorizer_serviceaccount',
        arguments: [AUTHORIZER, 'string', 'string'],
        invoke: serviceAccount,
      },
    ],
  },
  {
    name: 'check',
    cost: () => CHECK_COST,
    overloads: [
      { id: 'pathcheck_check', arguments: [PATH, 'string'], invoke: check },
      { id: 'resourcecheck_check', arguments: [RESOURCE, 'string'], invoke: check },
    ],
  },
  decisionMember('allowed', ({ allowed }) => allowed),
  decisionMember('reason', ({ reason }) => reason),
  decisionMember('errored', ({ error }) => error !== undefined),
  decisionMember('error', ({ error }) => error ?? ''),
];
