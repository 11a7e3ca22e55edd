import { invalidFormatted, required, tooMany } from '../../status/field-error.ts';
import { runNow } from '../../steps/run.ts';
import { compileEnumeration } from './enumeration.ts';
import { Identities } from './identities.ts';
import type { JsonObject } from './json.ts';
import { compileNumberChecks } from './numbers.ts';
import type { Run } from './run.ts';
import { compileTextChecks } from './texts.ts';
import { compileTypeCheck } from './types.ts';
import type { ValueSchema } from './value-schema.ts';

/** Checks one keyword, or several, of a value; adds errors to the run. */
export type Check<Value> = (value: Value, run: Run) => void;

/** The checks of the keywords of one schema, without those of inner schemas. */
export interface Checks {
  readonly type: Check<unknown> | undefined;
  readonly enumeration: Check<unknown> | undefined;
  readonly text: Check<string> | undefined;
  readonly number: Check<number | bigint> | undefined;
  readonly list: Check<readonly unknown[]> | undefined;
  readonly object: Check<JsonObject> | undefined;
  /** Number of checks that the reference counts for any value of the schema. */
  readonly score: number;
}

const shared = new Map<string, Checks>();
const MAXIMUM_SHARED = 4096;
const MAXIMUM_KEY = 256;

/** Compiles the checks of a schema. Schemas with the same few keywords share them, as most do. */
export function checksOf(schema: ValueSchema): Checks {
  if (schema.enum !== undefined || (schema.required?.length ?? 0) > 0) return compileChecks(schema);
  const key = keyOf(schema);
  if (key.length > MAXIMUM_KEY) return compileChecks(schema);
  let checks = shared.get(key);
  if (checks === undefined) {
    checks = compileChecks(schema);
    if (shared.size >= MAXIMUM_SHARED) shared.delete(shared.keys().next().value!);
    shared.set(key, checks);
  }
  return checks;
}

const keyOf = (schema: ValueSchema): string =>
  JSON.stringify([
    schema.type,
    schema.format,
    schema.checksRange,
    schema.nullable,
    schema.isIntOrString,
    schema.maximum,
    schema.exclusiveMaximum,
    schema.minimum,
    schema.exclusiveMinimum,
    schema.multipleOf,
    schema.maxLength,
    schema.minLength,
    schema.pattern,
    schema.maxItems,
    schema.minItems,
    schema.uniqueItems,
    schema.maxProperties,
    schema.minProperties,
  ]);

function compileChecks(schema: ValueSchema): Checks {
  const { type = '', format = '', isIntOrString } = schema;
  const hasType = type !== '' || format !== '' || isIntOrString === true;
  return {
    type: compileTypeCheck(schema),
    enumeration: compileEnumeration(schema),
    text: compileTextChecks(schema),
    number: compileNumberChecks(schema),
    list: compileListChecks(schema),
    object: compileObjectChecks(schema),
    score: hasType ? 5 : 4,
  };
}

function compileListChecks({
  minItems,
  maxItems,
  uniqueItems,
}: ValueSchema): Check<readonly unknown[]> | undefined {
  if (minItems === undefined && maxItems === undefined && uniqueItems !== true) return undefined;
  return (list, run) => {
    if (minItems !== undefined && list.length < minItems)
      run.fail((field, name) =>
        invalidFormatted(
          field,
          String(list.length),
          `${name} in body should have at least ${minItems} items`,
        ),
      );
    if (maxItems !== undefined && list.length > maxItems)
      run.fail((field) => tooMany(field, list.length, maxItems));
    if (uniqueItems === true && hasRepeats(list))
      run.fail((field, name) =>
        invalidFormatted(field, '""', `${name} in body shouldn't contain duplicates`),
      );
  };
}

function hasRepeats(list: readonly unknown[]): boolean {
  const identities = new Identities();
  const seen = new Set<string>();
  return list.some((element) => {
    const identity = runNow(identities.finding(element));
    return seen.has(identity) || !seen.add(identity);
  });
}

function compileObjectChecks({
  required: requiredNames = [],
  minProperties,
  maxProperties,
}: ValueSchema): Check<JsonObject> | undefined {
  const bounded = minProperties !== undefined || maxProperties !== undefined;
  if (!bounded && requiredNames.length === 0) return undefined;
  return (object, run) => {
    if (bounded) {
      const size = Object.keys(object).length;
      if (minProperties !== undefined && size < minProperties)
        run.fail((field, name) =>
          invalidFormatted(
            field,
            String(size),
            `${name} in body should have at least ${minProperties} properties`,
          ),
        );
      if (maxProperties !== undefined && size > maxProperties)
        run.fail((field) => tooMany(field, size, maxProperties));
    }
    for (const member of requiredNames) {
      if (Object.hasOwn(object, member)) continue;
      run.fail((_field, name) => required(run.fieldOf(name === '' ? member : `${name}.${member}`)));
    }
  };
}
