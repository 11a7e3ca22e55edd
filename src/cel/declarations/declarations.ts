import type { Declarations, OverloadDeclaration } from '../checked.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  list,
  map,
  NULL,
  opaque,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types.ts';
import { LIBRARIES } from './libraries.ts';
import type { Library } from './library.ts';
import { CIDR, IP } from './opaque-types.ts';
import { twoVariableComprehensionsLibrary } from './two-variable-comprehensions.ts';

/**
 * The function set of an environment: `new` expressions are being written by a client and use functions up to
 * the previous minor version (so that a downgraded server still compiles them); `stored` expressions were
 * accepted before, possibly by a newer server.
 */
export type Generation = 'new' | 'stored';

/** The minor version (of 1.x) whose functions new expressions can use, unless an environment says another. */
const COMPATIBILITY_VERSION = 31;

const TYPES: ReadonlyMap<string, Type> = new Map([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['int', INT],
  ['list', list(DYN)],
  ['map', map(DYN, DYN)],
  ['null_type', NULL],
  ['string', STRING],
  ['type', opaque('type')],
  ['uint', UINT],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['optional_type', opaque('optional_type')],
  ['net.IP', IP],
  ['net.CIDR', CIDR],
]);

type Functions = ReadonlyMap<string, readonly OverloadDeclaration[]>;

/** @param newest the minor version (of 1.x) whose functions can be used */
function functionsOf(newest: number, libraries: readonly Library[]): Functions {
  const functions = new Map<string, readonly OverloadDeclaration[]>();
  for (const library of libraries) {
    if (library.since > newest) continue;
    for (const { name, overloads } of library.functions)
      functions.set(name, [...(functions.get(name) ?? []), ...overloads]);
  }
  return functions;
}

/** By the minor version whose functions can be used. */
const cached = new Map<number, Functions>();

/** The parts of an environment besides the libraries. */
export interface EnvironmentParts {
  /** Variables by full name. */
  readonly variables: ReadonlyMap<string, Type>;
  /** Object types that expressions can name. */
  readonly types?: Pick<ReadonlyMap<string, Type>, 'get'>;
  /** A library that only this environment has. */
  readonly library?: Library;
  /** The minor version (of 1.x) whose functions new expressions can use; default: 31. */
  readonly compatibility?: number | undefined;
}

/** The declarations of an environment: the libraries of its generation, its variables and its types. */
export function declarationsOf(
  generation: Generation,
  { variables, types, library, compatibility = COMPATIBILITY_VERSION }: EnvironmentParts,
): Declarations {
  const newest = generation === 'stored' ? Number.POSITIVE_INFINITY : compatibility;
  let functions = cached.get(newest);
  if (functions === undefined) {
    functions = functionsOf(newest, LIBRARIES);
    cached.set(newest, functions);
  }
  const table = functions;
  const own = library && functionsOf(newest, [library]);
  return {
    variable: (name) => variables.get(name),
    overloads: (name) => own?.get(name) ?? table.get(name),
    typeNamed: (name) => types?.get(name) ?? TYPES.get(name),
    twoVariableComprehensions: newest >= twoVariableComprehensionsLibrary.since,
  };
}
