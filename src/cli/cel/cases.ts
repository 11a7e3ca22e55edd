import {
  type CompiledRules,
  CompileError,
  compile,
  compileRuleTree,
  DYN,
  declarationsOf,
  declaredTypeName,
  estimateCost,
  evaluateRules,
  INT,
  list,
  map,
  ProgramError,
  plan,
  RULE_LIMIT,
  RULES_BUDGET,
  STRING,
  type Type,
  type Value,
  valueOfJson,
} from '../../cel/index.ts';
import { Double, Uint } from '../../cel/values/scalars.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { formatFieldError } from '../../status/field-error.ts';
import { runNow } from '../../steps/run.ts';
import { declaredType } from './declared-type.ts';
import { definitionErrors, schemaOf } from './definition.ts';
import { checkIn, ENVIRONMENTS } from './environments.ts';
import { wireValue } from './wire-value.ts';

/** A case of a file: its input. Results in the file are ignored. */
type Case = Readonly<Record<string, unknown>>;

interface Variable {
  readonly type: Type;
  readonly value: Value;
}

/**
 * The kinds of files: which members of a case are given, and how the others are computed. A file's kind is
 * what its name starts with.
 */
const KINDS: readonly (readonly [kind: string, given: readonly string[], compute: (given: Case) => Case])[] =
  [
    ['eval', ['id', 'name', 'env', 'expr', 'vars'], (given) => evaluated(given, variablesOf(given))],
    ['compile', ['id', 'name', 'env', 'expr'], (given) => evaluated(given, COMPILE_VARIABLES)],
    ['environments', ['id', 'name', 'env', 'expr'], checked],
    ['crd-rules', ['id', 'name', 'schema', 'root', 'object', 'oldObject'], rules],
    ['crd-validation', ['id', 'name', 'schema'], validation],
  ];

/**
 * The cases of a file with their computed results.
 * @throws ConfigurationError with a one-line message
 */
export function computeCases(name: string, cases: unknown): Case[] {
  const kind = KINDS.find(([prefix]) => name.startsWith(prefix));
  if (kind === undefined)
    throw new ConfigurationError(
      `${name}: unknown kind of cases: begin the file's name with one of ${KINDS.map(([prefix]) => prefix).join(', ')}`,
    );
  if (!Array.isArray(cases) || cases.some((one) => typeof one !== 'object' || one === null))
    throw new ConfigurationError(`${name} is not a list of cases`);
  const [, given, compute] = kind;
  return cases.map((one: Case) => {
    const input = Object.fromEntries(
      given.filter((member) => Object.hasOwn(one, member)).map((member) => [member, one[member]]),
    );
    return { ...input, ...compute(input) };
  });
}

const empty: readonly (readonly [string, Variable])[] = [
  ['s', { type: STRING, value: '' }],
  ['i', { type: INT, value: 0 }],
  ['l', { type: list(INT), value: valueOfJson([]) }],
  ['m', { type: map(STRING, STRING), value: valueOfJson({}) }],
  ['d', { type: DYN, value: valueOfJson({}) }],
];

const COMPILE_VARIABLES: ReadonlyMap<string, Variable> = new Map(empty);

function variablesOf({ vars = {} }: Case): ReadonlyMap<string, Variable> {
  const declared = vars as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const entries = Object.entries(declared).map(
    ([name, { Type, Value, type = Type, value = Value }]): [string, Variable] => [
      name,
      variableOf(declaredType(String(type)), value),
    ],
  );
  return new Map(entries);
}

/** JSON distinguishes ints from doubles only by their digits, and has no unsigned numbers. */
function variableOf(type: Type, json: unknown): Variable {
  const isNumber = typeof json === 'number' || typeof json === 'bigint';
  if (isNumber && type.kind === 'double') return { type, value: new Double(Number(json)) };
  if (isNumber && type.kind === 'uint' && json >= 0 && Number.isInteger(Number(json)))
    return { type, value: new Uint(BigInt(json)) };
  return { type, value: valueOfJson(json) };
}

function evaluated({ expr = '', env = 'new' }: Case, variables: ReadonlyMap<string, Variable>): Case {
  const types = new Map([...variables].map(([name, { type }]) => [name, type]));
  try {
    const checked = compile(
      String(expr),
      declarationsOf(env === 'stored' ? 'stored' : 'new', { variables: types }),
    );
    const { min, max } = estimateCost(checked);
    const known = {
      resultType: declaredTypeName(checked.type),
      estimateMin: String(min),
      estimateMax: String(max),
    };
    return {
      ...known,
      ...outcome(() =>
        plan(checked).evaluate(new Map([...variables].map(([name, { value }]) => [name, value])), {
          limit: RULE_LIMIT,
        }),
      ),
    };
  } catch (error) {
    if (error instanceof CompileError) return { compileError: error.message };
    throw error;
  }
}

function outcome(run: () => ReturnType<ReturnType<typeof plan>['evaluate']>): Case {
  try {
    const evaluation = run();
    if (evaluation.kind === 'value') return { cost: evaluation.cost, value: wireValue(evaluation.value) };
    return {
      cost: evaluation.cost,
      evalError:
        evaluation.kind === 'error' ? evaluation.error.message : 'an authorization decision is pending',
    };
  } catch (error) {
    if (error instanceof ProgramError) return { programError: error.message };
    throw error;
  }
}

function checked({ env, expr = '' }: Case): Case {
  const environment = ENVIRONMENTS.get(String(env));
  if (environment === undefined)
    throw new ConfigurationError(
      `unknown environment ${JSON.stringify(env)}; use one of ${[...ENVIRONMENTS.keys()].join(', ')}`,
    );
  const result = checkIn(environment, String(expr));
  return 'outputType' in result && env === 'authz' ? { ok: true } : { ...result };
}

/** The reference numbers the types of objects at random. */
const TYPE_NAME = 'selfType<N>';

function rules(given: Case): Case {
  const { schema, root, object, oldObject } = given;
  const compiled: Case[] = [];
  let minSerializedSize: number | undefined;
  const tree = runNow(
    compileRuleTree(schemaOf(schema), root === true, { typeName: TYPE_NAME }, (own, path) => {
      minSerializedSize = own.minSize;
      compiled.push(...compiledCases(own, path));
    }),
  );
  const result = { compiled, minSerializedSize };
  if (tree === undefined || !Object.hasOwn(given, 'object')) return result;
  const { errors, budget } = runNow(evaluateRules(tree, object, oldObject ?? undefined));
  return { ...result, errors: errors.length === 0 ? null : errors, usedBudget: RULES_BUDGET - budget };
}

function compiledCases({ rules, maxPerRequest }: CompiledRules, path: string): Case[] {
  return rules.map(({ rule, check, error, usesOldSelf, message, messageError }) => {
    const known = { path, rule: rule.rule ?? '' };
    if (error !== undefined) return { ...known, error };
    return {
      ...known,
      usesOldSelf,
      ...(check === undefined
        ? {}
        : { maxCost: String(check.maxCost), maxCardinality: String(maxPerRequest) }),
      ...(message === undefined ? {} : { messageExpressionMaxCost: String(message.maxCost) }),
      ...(messageError === undefined ? {} : { messageExpressionError: messageError }),
    };
  });
}

function validation({ schema }: Case): Case {
  return { errors: definitionErrors(schema).map(formatFieldError) };
}
