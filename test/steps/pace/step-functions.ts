import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';
import { stepSizes } from '../../../src/steps/sizes.ts';

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));
/** Folders without functions: declarations. */
const DECLARATIONS = /^model\/(?:types|generated)\//;
/** Return types of functions that work in steps. */
const STEPS = /^(?:Steps|PartSteps|ReadText)\b/;

/** The exported functions and public methods of exported classes that return steps, as `path/in/src.ts name`. */
export const stepFunctions = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !DECLARATIONS.test(path))
    .sort()
    .flatMap((path) => stepFunctionsIn(path, readFileSync(`${SOURCE}${path}`, 'utf8')));

function stepFunctionsIn(path: string, text: string): string[] {
  if (!/\b(?:Part)?Steps<|\bReadText\b/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const isExported = (node: ts.HasModifiers): boolean =>
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  const returnsSteps = (node: ts.SignatureDeclaration): boolean =>
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

type Generators = Iterator<unknown, unknown, unknown>;
const generators = Object.getPrototypeOf(function* () {}.prototype) as Generators;

/** Which step functions have run while the step sizes were small. */
export interface WatchedCalls {
  readonly called: ReadonlySet<string>;
  /** Functions that are no generators, nor methods: their calls cannot be seen. */
  readonly unseen: ReadonlySet<string>;
  end(): void;
}

/** Sizes up to this one are small. */
const SMALL = 3;

/** Watches the calls of functions that {@link stepFunctions} found. */
export async function watchCalls(names: readonly string[]): Promise<WatchedCalls> {
  const called = new Set<string>();
  const unseen = new Set<string>();
  const ends: (() => void)[] = [];
  const see = (name: string): void => {
    if (stepSizes.nodes <= SMALL) called.add(name);
  };
  for (const name of names) {
    const [path, place] = name.split(' ') as [string, string];
    const module = (await import(new URL(`../../../src/${path}`, import.meta.url).href)) as Record<
      string,
      unknown
    >;
    const [first, method] = place.split('.') as [string, string?];
    const owner =
      method === undefined ? undefined : (module[first] as { prototype: Record<string, unknown> }).prototype;
    const found = (owner === undefined ? module[first] : owner[method!]) as ((
      ...values: unknown[]
    ) => unknown) & {
      prototype?: Generators;
    };
    if (found.prototype !== undefined && Object.getPrototypeOf(found.prototype) === generators) {
      // A generator takes its methods from the prototype of its function.
      const { prototype } = found;
      prototype.next = function (this: Generators, ...values: [] | [unknown]) {
        see(name);
        return generators.next.apply(this, values);
      };
      ends.push(() => {
        delete (prototype as Partial<Generators>).next;
      });
    } else if (owner !== undefined) {
      owner[method!] = function (this: unknown, ...values: unknown[]) {
        see(name);
        return found.apply(this, values);
      };
      ends.push(() => {
        owner[method!] = found;
      });
    } else unseen.add(name);
  }
  return {
    called,
    unseen,
    end: () => {
      for (const end of ends) end();
    },
  };
}
