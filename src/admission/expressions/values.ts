import {
  type AuthorizationQuery,
  type AuthorizationSource,
  authorizerValue,
  type Bindings,
  requestResourceValue,
  type Value,
  valueOfJson,
} from '../../cel/index.ts';

/** What expressions see of a request, as plain JSON that does not change. Each member is read when needed. */
export interface ExpressionInput {
  /** Undefined on deletion. */
  object(): unknown;
  /** Undefined on creation. */
  oldObject(): unknown;
  /** The admission request without its objects. */
  request(): object;
  /** Undefined for cluster-scoped objects, namespaces included. */
  namespaceObject(): object | undefined;
  readonly authorization: AuthorizationSource;
  /** The resource of `authorizer.requestResource`. */
  readonly requestResource: Pick<
    AuthorizationQuery,
    'group' | 'resource' | 'subresource' | 'namespace' | 'name'
  >;
}

/** The variables that not every field of the API has. */
export interface BoundVariables {
  readonly authorizer: boolean;
  readonly namespaceObject: boolean;
  /** Undefined without `params`. */
  readonly params: Value | undefined;
}

/** The values of the variables of one request; each is made once. */
export class RequestValues {
  readonly #known = new Map<string, Value>();
  readonly #input: ExpressionInput;

  constructor(input: ExpressionInput) {
    this.#input = input;
  }

  get(name: string): Value | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const value = this.#make(name);
    if (value !== undefined) this.#known.set(name, value);
    return value;
  }

  #make(name: string): Value | undefined {
    const input = this.#input;
    switch (name) {
      case 'object':
        return valueOfJson(input.object());
      case 'oldObject':
        return valueOfJson(input.oldObject());
      case 'request':
        return valueOfJson(input.request());
      case 'namespaceObject':
        return valueOfJson(input.namespaceObject());
      case 'authorizer':
        return authorizerValue(input.authorization);
      case 'authorizer.requestResource':
        return requestResourceValue(input.authorization, input.requestResource);
      default:
        return undefined;
    }
  }
}

/** The variables of one evaluation. `variables` is set after creation: its expressions see the others. */
export class RequestBindings implements Bindings {
  variables: Value | undefined;
  readonly #values: RequestValues;
  readonly #bound: BoundVariables;

  constructor(values: RequestValues, bound: BoundVariables) {
    this.#values = values;
    this.#bound = bound;
  }

  get(name: string): Value | undefined {
    switch (name) {
      case 'variables':
        return this.variables;
      case 'params':
        return this.#bound.params;
      case 'namespaceObject':
        return this.#bound.namespaceObject ? this.#values.get(name) : null;
      case 'authorizer':
      case 'authorizer.requestResource':
        return this.#bound.authorizer ? this.#values.get(name) : undefined;
      default:
        return this.#values.get(name);
    }
  }
}
