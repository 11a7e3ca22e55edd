import { BodyBudget } from '../request/body-budget.ts';
import type { Filter } from '../request/context.ts';

/** Bytes: of one user some twenty of the largest bodies, and of four such users at once. */
const LIMITS = { perUser: 64 << 20, total: 256 << 20 };

/**
 * Opens the account of a request's body, in the name of the user that was authenticated: impersonation does
 * not change it.
 */
export function bodyFilter(): Filter {
  const budget = new BodyBudget(LIMITS);
  return (context, next) => {
    const { name } = context.user;
    context.openBodyAccount = () => budget.open(name);
    return next(context);
  };
}
