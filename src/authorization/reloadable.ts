import type { Authorizer } from '../request/attributes.ts';

/** An authorizer that can be replaced at run time. */
export interface ReloadableAuthorizer extends Authorizer {
  /** Uses `next` for new requests. */
  replace(next: Authorizer): void;
}

/** Creates a reloadable authorizer that starts with `first`. */
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
