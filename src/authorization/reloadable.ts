import type { Authorizer } from '../request/attributes.ts';

/** An authorizer that another can take the place of, while requests go on. */
export interface ReloadableAuthorizer extends Authorizer {
  /** Requests that begin from now on are decided by `next`. */
  replace(next: Authorizer): void;
}

/** Starts with `first`. */
export function createReloadableAuthorizer(first: Authorizer): ReloadableAuthorizer {
  let current = first;
  return {
    name: first.name,
    authorize: (attributes) => current.authorize(attributes),
    rulesFor: (user, namespace) =>
      current.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: true },
    replace(next) {
      current = next;
    },
  };
}
