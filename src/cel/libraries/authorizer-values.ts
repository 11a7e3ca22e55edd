import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type {
  AuthorizationDecision,
  AuthorizationQuery,
  AuthorizationSource,
} from './authorization-source.ts';

/** An authorization query under construction: `authorizer.group(…).resource(…)`. */
export class AuthorizerValue extends OpaqueValue {
  readonly typeName: string;
  readonly source: AuthorizationSource;
  readonly query: AuthorizationQuery;

  constructor(
    kind: 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck',
    source: AuthorizationSource,
    query: AuthorizationQuery,
  ) {
    super();
    this.typeName = `kubernetes.authorization.${kind}`;
    this.source = source;
    this.query = query;
  }

  equals(other: Value): boolean {
    return other === this;
  }
}

/** The decision of a check. */
export class DecisionValue extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }

  equals(other: Value): boolean {
    return other === this;
  }
}

const EMPTY_QUERY: AuthorizationQuery = {
  serviceAccount: undefined,
  verb: '',
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: undefined,
  labelSelector: undefined,
};

/** The value of the variable `authorizer`. */
export function authorizerValue(source: AuthorizationSource): AuthorizerValue {
  return new AuthorizerValue('Authorizer', source, EMPTY_QUERY);
}

/** The value of `authorizer.requestResource`: a check of the request's own resource. */
export function requestResourceValue(
  source: AuthorizationSource,
  resource: Pick<AuthorizationQuery, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): AuthorizerValue {
  return new AuthorizerValue('ResourceCheck', source, { ...EMPTY_QUERY, ...resource });
}
