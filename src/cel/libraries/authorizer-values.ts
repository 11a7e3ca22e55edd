import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type { Authority, AuthorizationAnswer, AuthorizationQuestion } from './authority.ts';

/** A step of building a question: `authorizer.group(…).resource(…)`. */
export class AuthorizerValue extends OpaqueValue {
  readonly typeName: string;
  readonly authority: Authority;
  readonly question: AuthorizationQuestion;

  constructor(
    kind: 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck',
    authority: Authority,
    question: AuthorizationQuestion,
  ) {
    super();
    this.typeName = `kubernetes.authorization.${kind}`;
    this.authority = authority;
    this.question = question;
  }

  equals(other: Value): boolean {
    return other === this;
  }
}

/** What a check answered. */
export class DecisionValue extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }

  equals(other: Value): boolean {
    return other === this;
  }
}

const NOTHING_ASKED: AuthorizationQuestion = {
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
export function authorizerValue(authority: Authority): AuthorizerValue {
  return new AuthorizerValue('Authorizer', authority, NOTHING_ASKED);
}

/** The value of `authorizer.requestResource`: a check of what the request itself is about. */
export function requestResourceValue(
  authority: Authority,
  resource: Pick<AuthorizationQuestion, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): AuthorizerValue {
  return new AuthorizerValue('ResourceCheck', authority, { ...NOTHING_ASKED, ...resource });
}
