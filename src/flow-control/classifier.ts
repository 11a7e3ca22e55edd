import { BoundedMap } from '../collections/bounded-map.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user.ts';
import type { CompiledSchema, Flow } from './flow.ts';
import type { RequestTest } from './rules.ts';

/** A rule that applies to a user; `flow` once it is known, if it is the same for all requests of the user. */
interface ConcernedRule {
  readonly schema: CompiledSchema;
  readonly covers: RequestTest;
  flow: Flow | undefined;
}

/** The rules for users of one name and the same groups. */
interface UserRules {
  readonly rules: readonly ConcernedRule[];
  /** Classifications of requests by what the rules look at; for users with many rules. */
  readonly known: BoundedMap<string, ConcernedRule> | undefined;
}

/** Users whose rules are remembered, by name and groups. */
const KEPT_USERS = 4096;
/** Requests of one user that are remembered. */
const KEPT_REQUESTS = 256;
/** Fewer rules are faster to try than to look up. */
const MANY_RULES = 16;

/** Finds the flow of a request: the first schema with a matching rule. */
export class Classifier {
  readonly #schemas: readonly CompiledSchema[];
  readonly #fallback: CompiledSchema;
  readonly #byUser = new WeakMap<UserInfo, UserRules>();
  readonly #byIdentity = new BoundedMap<string, UserRules>(KEPT_USERS);

  /** @param schemas in order of precedence @param fallback for requests that no schema matches */
  constructor(schemas: readonly CompiledSchema[], fallback: CompiledSchema) {
    this.#schemas = schemas;
    this.#fallback = fallback;
  }

  flowOf(user: UserInfo, info: RequestInfo): Flow {
    let concerned = this.#byUser.get(user);
    if (concerned === undefined) {
      concerned = this.#rulesFor(user);
      this.#byUser.set(user, concerned);
    }
    const rule = match(concerned, info);
    if (rule === undefined) return this.#fallback.flowOf(user, info);
    if (rule.flow !== undefined) return rule.flow;
    const flow = rule.schema.flowOf(user, info);
    if (!rule.schema.isByNamespace) rule.flow = flow;
    return flow;
  }

  #rulesFor(user: UserInfo): UserRules {
    const identity = `${user.name}\0${user.groups.join('\0')}`;
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const rules = this.#schemas.flatMap((schema) =>
      schema.rules
        .filter(({ concerns }) => concerns(user))
        .map(({ covers }): ConcernedRule => ({ schema, covers, flow: undefined })),
    );
    const found = {
      rules,
      known: rules.length < MANY_RULES ? undefined : new BoundedMap<string, ConcernedRule>(KEPT_REQUESTS),
    };
    this.#byIdentity.set(identity, found);
    return found;
  }
}

function match({ rules, known }: UserRules, info: RequestInfo): ConcernedRule | undefined {
  if (known === undefined) return firstMatch(rules, info);
  const { verb, group, resource, subresource, namespace, path } = info;
  const key = info.isResource
    ? `${verb}\0${group}\0${resource}\0${subresource}\0${namespace}`
    : `${verb}\0${path}`;
  let rule = known.get(key);
  if (rule === undefined) {
    rule = firstMatch(rules, info);
    if (rule !== undefined) known.set(key, rule);
  }
  return rule;
}

function firstMatch(rules: readonly ConcernedRule[], info: RequestInfo): ConcernedRule | undefined {
  for (const rule of rules) if (rule.covers(info)) return rule;
  return undefined;
}
