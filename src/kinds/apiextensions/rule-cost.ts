import { type FieldError, forbidden } from '../../status/field-error.ts';

/** Maximum estimated cost of one rule, multiplied by the number of its evaluations for one object. */
const EXPRESSION_LIMIT = 10_000_000n;
/** Maximum total cost of all rules of a schema. */
const SCHEMA_LIMIT = 100_000_000n;
/** Expressions with a lower cost are not reported as contributors. */
const CONTRIBUTION = SCHEMA_LIMIT / 100n;
const MAXIMUM_CONTRIBUTORS = 4;
/** Costs saturate at the maximum of uint64. */
const MAX = 2n ** 64n - 1n;

const capped = (cost: bigint): bigint => (cost > MAX ? MAX : cost);

export const multipliedCost = (cost: bigint, times: bigint): bigint => capped(cost * times);

function excess(subject: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const factorText =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${subject} exceeds budget by factor of ${factorText} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Validates the cost of one expression. */
export const validateCost = (field: string, subject: string, cost: bigint): FieldError[] =>
  cost > EXPRESSION_LIMIT ? [forbidden(field, excess(subject, cost, EXPRESSION_LIMIT))] : [];

/** Total cost of all expressions of a schema. */
export class TotalCost {
  private total = 0n;
  /** The most expensive expressions first. */
  private contributors: { readonly field: string; readonly cost: bigint }[] = [];

  add(field: string, cost: bigint): void {
    this.total = capped(this.total + cost);
    if (cost < CONTRIBUTION) return;
    this.contributors.push({ field, cost });
    this.contributors.sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1));
    this.contributors.length = Math.min(this.contributors.length, MAXIMUM_CONTRIBUTORS);
  }

  /** @param field path of the schema */
  validate(field: string): FieldError[] {
    if (this.total <= SCHEMA_LIMIT) return [];
    const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const subject = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.contributors.map((one) => forbidden(one.field, text)),
      forbidden(field, excess(subject, this.total, SCHEMA_LIMIT)),
    ];
  }
}
