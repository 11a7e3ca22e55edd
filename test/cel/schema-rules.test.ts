import { describe, expect, test } from 'vitest';
import { CompileError } from '../../src/cel/errors.ts';
import { optional, type Type } from '../../src/cel/types.ts';
import { OptionalValue } from '../../src/cel/values/optional.ts';
import { valueOfSchema } from '../../src/cel/values/schema/index.ts';
import type { Value } from '../../src/cel/values/value.ts';
import { recorded } from '../support/recorded.ts';
import { compileWith, evaluate, type Variables } from './support/evaluate.ts';
import { type JsonSchema, typeOfSchema, valueSchemaOf } from './support/json-schema.ts';

const LIMIT = 1_000_000;
const EXCEEDED = 'operation cancelled: actual cost limit exceeded';

interface Recorded {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly root: boolean;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly errors: readonly { readonly detail: string }[] | null;
  readonly usedBudget: number;
}

/** Evaluates the rules of a schema on an object: returns the failures and the cost. */
class Rules {
  readonly failures: string[] = [];
  spent = 0;
  private stopped = false;

  visit(schema: JsonSchema, json: unknown, old: unknown, root: boolean): void {
    const self = {
      type: typeOfSchema(schema, root),
      value: valueOfSchema(json, valueSchemaOf(schema, root)),
    };
    for (const { rule, messageExpression, optionalOldSelf } of schema['x-kubernetes-validations'] ?? []) {
      if (this.stopped) return;
      const oldSelf = this.oldSelf(schema, old, root, optionalOldSelf === true);
      if (/\boldSelf\b/.test(rule) && oldSelf === undefined) continue;
      const variables: Variables = oldSelf === undefined ? { self } : { self, oldSelf };
      if (!isBoolean(rule, variables)) continue;
      if (this.run(rule, variables) === false && messageExpression !== undefined)
        this.failures.push(String(this.run(messageExpression, variables)));
      else if (this.last === false) this.failures.push(`failed rule: ${rule}`);
    }
    if (json === null) return;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const members = json as Record<string, unknown>;
      if (Object.hasOwn(members, name))
        this.visit(property, members[name], (old as Record<string, unknown> | undefined)?.[name], false);
    }
    if (schema.items !== undefined)
      for (const item of json as unknown[]) this.visit(schema.items, item, undefined, false);
  }

  private last: unknown;

  private run(expression: string, variables: Variables): unknown {
    const { value, error, cost = 0 } = evaluate(expression, variables, { limit: LIMIT });
    this.spent += cost;
    this.stopped = error === EXCEEDED;
    if (error !== undefined) this.failures.push(error);
    this.last = value;
    return this.last;
  }

  private oldSelf(
    schema: JsonSchema,
    old: unknown,
    root: boolean,
    wrapped: boolean,
  ): { type: Type; value: Value } | undefined {
    const type = typeOfSchema(schema, root);
    if (!wrapped)
      return old === undefined ? undefined : { type, value: valueOfSchema(old, valueSchemaOf(schema, root)) };
    const value =
      old === undefined
        ? OptionalValue.none
        : OptionalValue.of(valueOfSchema(old, valueSchemaOf(schema, root)));
    return { type: optional(type), value };
  }
}

/** Whether an expression compiles to a boolean; others are not evaluated. */
function isBoolean(rule: string, variables: Variables): boolean {
  try {
    return compileWith(rule, variables).type.kind === 'bool';
  } catch (error) {
    if (error instanceof CompileError) return false;
    throw error;
  }
}

/**
 * The parts of recorded errors that depend on values: failed rules, messages, and the error texts before the
 * rule.
 */
function failuresOf({ errors }: Recorded): string[] {
  const details = (errors ?? [])
    .map(({ detail }) => detail)
    .filter((detail) => !detail.startsWith('rule compile error'));
  return details.map((detail) =>
    detail.startsWith(`'${EXCEEDED}'`) ? EXCEEDED : detail.replace(/ evaluating rule: .*$/s, ''),
  );
}

describe('schema rules against recorded results', () => {
  test.each(
    recorded<Recorded[]>('cel-crd-rules')
      .filter(({ object }) => object !== undefined)
      .map((one) => [one.name, one] as const),
  )('%s', (_name, one) => {
    const rules = new Rules();
    rules.visit(one.schema, one.object, one.oldObject, one.root);
    const overload = /^'no such overload': /;
    const failures = rules.failures.map((failure) =>
      failure.startsWith('no such overload') ? 'no such overload' : failure,
    );
    expect(failures).toEqual(
      failuresOf(one).map((failure) => (overload.test(failure) ? 'no such overload' : failure)),
    );
    if (one.usedBudget <= 10_000_000 && !failures.includes(EXCEEDED))
      expect(rules.spent).toBe(one.usedBudget);
  });
});
