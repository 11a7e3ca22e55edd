import type { Declarations } from '../../../src/cel/checked.ts';
import { declarationsOf, type Generation } from '../../../src/cel/declarations/declarations.ts';
import { DYN, INT, list, map, STRING, type Type } from '../../../src/cel/types.ts';

/** Variables of the recorded expressions. */
export const VARIABLES: ReadonlyMap<string, Type> = new Map([
  ['s', STRING],
  ['i', INT],
  ['l', list(INT)],
  ['m', map(STRING, STRING)],
  ['d', DYN],
]);

/** An environment with some of the variables. */
export const environment = (
  generation: Generation,
  names: readonly string[] = [...VARIABLES.keys()],
): Declarations =>
  declarationsOf(generation, { variables: new Map(names.map((name) => [name, VARIABLES.get(name)!])) });
