import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { setStepSizes } from '../../src/steps/sizes.ts';
import { APPLY_CASES } from './pace/apply-cases.ts';
import { CODEC_CASES } from './pace/codec-cases.ts';
import { PATCH_CASES } from './pace/patch-cases.ts';
import { STRUCTURAL_CASES } from './pace/structural-cases.ts';

const CASES = [...CODEC_CASES, ...APPLY_CASES, ...PATCH_CASES, ...STRUCTURAL_CASES];
const DIRECTORIES = ['codec', 'apply', 'patch', 'schema/structural'];
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
/** Return types of functions that work in steps. */
const STEPS = /^(?:Steps|PartSteps|ReadText)\b/;
/** A size that is never reached. */
const UNLIMITED = 2 ** 40;

/** The exported functions and methods of a module that return steps. */
function stepFunctions(path: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(path, readFileSync(`${SOURCE}${path}`, 'utf8'), ts.ScriptTarget.Latest);
  const isExported = (node: ts.HasModifiers): boolean =>
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  const returnsSteps = (node: ts.SignatureDeclaration): boolean =>
    ('asteriskToken' in node && node.asteriskToken !== undefined) ||
    STEPS.test(node.type?.getText(source) ?? '');
  for (const node of source.statements) {
    if (ts.isFunctionDeclaration(node) && isExported(node) && returnsSteps(node))
      found.push(`${path} ${node.name?.text}`);
    else if (ts.isVariableStatement(node) && isExported(node)) {
      for (const { name, initializer } of node.declarationList.declarations)
        if (initializer !== undefined && ts.isArrowFunction(initializer) && returnsSteps(initializer))
          found.push(`${path} ${name.getText(source)}`);
    } else if (ts.isClassDeclaration(node) && isExported(node)) {
      for (const member of node.members)
        if (ts.isMethodDeclaration(member) && isPublic(member) && returnsSteps(member))
          found.push(`${path} ${node.name?.text}.${member.name.getText(source)}`);
    }
  }
  return found;
}

const isPublic = (member: ts.MethodDeclaration): boolean =>
  !ts.isPrivateIdentifier(member.name) &&
  member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) !== true;

interface Outcome {
  readonly result: unknown;
  readonly pauses: number;
}

/** Runs work to its end at a pace. Parts are joined; an error is a result. */
function outcomeAt(size: number, start: () => Iterator<unknown, unknown, void>): Outcome {
  const restore = setStepSizes(size);
  let pauses = 0;
  const parts: string[] = [];
  try {
    const steps = start();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return { result: parts.length > 0 ? parts.join('') : step.value, pauses };
      if (step.value === undefined) pauses += 1;
      else parts.push(typeof step.value === 'string' ? step.value : latin1(step.value as Uint8Array));
    }
  } catch (error) {
    return { result: failure(error), pauses };
  } finally {
    restore();
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const failure = (error: unknown): unknown => ({
  name: (error as Error).name,
  message: (error as Error).message,
});

function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return failure(error);
  }
}

/** Compares by prototype and own members: vitest takes a member `constructor` for the type of an object. */
function expectSame(result: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(result, expected))
    expect(inspect(result, EVERYTHING)).toBe(inspect(expected, EVERYTHING));
}
const EVERYTHING = { depth: null, maxArrayLength: null, maxStringLength: null };

describe('work in steps', () => {
  it('has a case for each exported function', () => {
    const functions = DIRECTORIES.flatMap((directory) =>
      readdirSync(`${SOURCE}${directory}`)
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => stepFunctions(`${directory}/${file}`)),
    );
    const covered = new Set(CASES.flatMap(({ names }) => names));
    expect(functions.filter((name) => !covered.has(name))).toEqual([]);
    expect([...covered].filter((name) => !functions.includes(name))).toEqual([]);
    expect(functions.length).toBeGreaterThan(50);
  });

  it.each(CASES.map((one) => [one.names[0]!, one] as const))(
    'has the same result at each pace: %s',
    (_, one) => {
      let pauses = 0;
      let pausesAtOnce = 0;
      fc.assert(
        one.check((start, atOnce) => {
          const expected = outcomeAt(UNLIMITED, start);
          for (const size of [1, 3]) {
            const { result, pauses: some } = outcomeAt(size, start);
            expectSame(result, expected.result);
            pauses += some;
          }
          pausesAtOnce += expected.pauses;
          if (atOnce !== undefined) expectSame(expected.result, resultOf(atOnce));
        }),
      );
      expect(pauses).toBeGreaterThan(2 * pausesAtOnce);
    },
  );
});
