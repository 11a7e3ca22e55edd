import { BodyBudget } from '../request/body-budget.ts';
import type { Filter } from '../request/context.ts';

/** Limits in bytes: about twenty of the largest bodies per user, four times that in total. */
const LIMITS = { perUser: 64 << 20, total: 256 << 20 };

/** Counts the request body in the memory of the authenticated user, regardless of impersonation. */
export function bodyFilter(): Filter {
  const budget = new BodyBudget(LIMITS);
  return (context, next) => {
    const { exchange, user } = context;
    if (exchange.hasBody) exchange.accountBody(budget.open(user.name));
    return next(context);
  };
}
