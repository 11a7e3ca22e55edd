import type { Authorizer } from '../request/attributes.ts';

/** An authorizer that another can take the place of, while requests go on. */
export interface SwitchableAuthorizer extends Authorizer {
  /** Requests that begin from now on are decided by `next`. */
  switchTo(next: Authorizer): void;
}

/** Starts with `first`. */
export function switchable(first: Authorizer): SwitchableAuthorizer {
  let current = first;
  return {
    name: first.name,
    authorize: (attributes) => current.authorize(attributes),
    rulesFor: (user, namespace) =>
      current.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: true },
    switchTo(next) {
      current = next;
    },
  };
}
