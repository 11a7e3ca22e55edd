import { describe, expect, test } from 'vitest';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  list,
  map,
  NULL,
  STRING,
  type Type,
  UINT,
} from '../../src/cel/types.ts';
import { recorded } from '../support/recorded.ts';
import { evaluate, type Outcome, type Variables } from './support/evaluate.ts';
import { comparable, valueOfWire, type WireValue } from './support/wire-values.ts';

const SUITES =
  'basic comparisons conversions fp_math integer_math lists macros2 namespace optionals parse plumbing string string_ext type_deductions';
const specification = recorded<Record<string, unknown>>('cel-specification');
const read = <T>(name: string): T => specification[name] as T;

interface WireType {
  readonly primitive?: string;
  readonly null?: null;
  readonly listType?: { readonly elemType: WireType };
  readonly mapType?: { readonly keyType: WireType; readonly valueType: WireType };
}

interface Specified {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: WireType } }[];
  readonly bindings?: Readonly<Record<string, { readonly value: WireValue }>>;
  readonly value?: WireValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: WireValue };
}

/** A result of the reference that deviates from the specification. */
interface Difference {
  readonly test: string;
  readonly compileError?: string;
  readonly programError?: string;
  readonly evalError?: string;
  readonly value?: WireValue;
}

const PRIMITIVES: Readonly<Record<string, Type>> = { BOOL, BYTES, DOUBLE, INT64: INT, STRING, UINT64: UINT };

function typeOfWire(type: WireType): Type {
  if (type.primitive !== undefined) return PRIMITIVES[type.primitive]!;
  if (type.listType !== undefined) return list(typeOfWire(type.listType.elemType));
  if (type.mapType !== undefined)
    return map(typeOfWire(type.mapType.keyType), typeOfWire(type.mapType.valueType));
  return 'null' in type ? NULL : DYN;
}

interface Case {
  readonly path: string;
  readonly one: Specified;
  readonly cost: number | undefined;
  readonly difference: Difference | undefined;
}

/**
 * The tests of the suites that the reference's environment compiles without a container. Among tests of the
 * same name the last one has the recorded cost.
 */
function cases(): Case[] {
  const costs = new Map(Object.entries(read<Record<string, number>>('reference-costs')));
  const differences = new Map(
    read<Difference[]>('reference-differences').map((difference) => [difference.test, difference]),
  );
  const found = new Map<string, Case>();
  for (const suite of SUITES.split(' ')) {
    for (const section of read<{ sections: { name: string; tests: Specified[] }[] }>(suite).sections) {
      for (const one of section.tests) {
        const path = `${suite}/${section.name}/${one.name}`;
        const difference = differences.get(path);
        if (
          one.disableCheck === true ||
          one.container !== undefined ||
          difference?.compileError !== undefined ||
          difference?.programError !== undefined
        )
          continue;
        if (costs.has(path) || difference !== undefined)
          found.set(path, { path, one, cost: costs.get(path), difference });
      }
    }
  }
  return [...found.values()];
}

function variablesOf({ typeEnv = [], bindings = {} }: Specified): Variables {
  const types = new Map(
    typeEnv.map(({ name, ident }) => [name, ident === undefined ? DYN : typeOfWire(ident.type)]),
  );
  return Object.fromEntries(
    Object.entries(bindings).map(([name, { value }]) => [
      name,
      { type: types.get(name) ?? DYN, value: valueOfWire(value) },
    ]),
  );
}

function expectedOf({ one, cost, difference }: Case): Outcome {
  const counted = cost ?? (expect.any(Number) as number);
  if (difference?.evalError !== undefined) return { error: difference.evalError, cost: counted };
  if (difference === undefined && one.evalError !== undefined)
    return { error: expect.any(String) as string, cost: counted };
  const value = difference?.value ?? one.value ?? one.typedResult?.result ?? { boolValue: true };
  return { value: comparable(valueOfWire(value)), cost: counted };
}

describe("CEL specification tests, with the reference's costs", () => {
  const all = cases();

  test('finds the specification tests', () => {
    expect(all.length).toBeGreaterThan(1000);
  });

  test.each(all.map((one) => [one.path, one] as const))('%s', (_path, one) => {
    expect(evaluate(one.one.expr, variablesOf(one.one))).toEqual(expectedOf(one));
  });
});
