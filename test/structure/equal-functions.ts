import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript-6';

/** A function with a name and a body. */
interface NamedFunction {
  readonly name: string;
  readonly node: typescript.FunctionLikeDeclaration;
}

function namedFunction(node: typescript.Node): NamedFunction | undefined {
  if ((typescript.isFunctionDeclaration(node) || typescript.isMethodDeclaration(node)) && node.body)
    return { name: node.name?.getText() ?? '', node };
  return typescript.isVariableDeclaration(node) &&
    node.initializer !== undefined &&
    typescript.isArrowFunction(node.initializer)
    ? { name: node.name.getText(), node: node.initializer }
    : undefined;
}

/** The names that a function declares: its parameters and variables. */
function localsOf(node: typescript.Node, names: Set<string> = new Set()): ReadonlySet<string> {
  const declares =
    typescript.isParameter(node) ||
    typescript.isVariableDeclaration(node) ||
    typescript.isBindingElement(node);
  if (declares && typescript.isIdentifier(node.name)) names.add(node.name.text);
  typescript.forEachChild(node, (child) => void localsOf(child, names));
  return names;
}

/** The tokens of a function without types and with numbers in place of local names. */
function tokensOf(node: typescript.FunctionLikeDeclaration): string[] {
  const locals = localsOf(node);
  const numbers = new Map<string, string>();
  const tokens: string[] = [];
  const numberOf = (name: string): string => {
    if (!numbers.has(name)) numbers.set(name, `$${numbers.size}`);
    return numbers.get(name)!;
  };
  const visit = (part: typescript.Node): void => {
    if (typescript.isTypeNode(part)) return;
    if (typescript.isIdentifier(part)) {
      const isMember = typescript.isPropertyAccessExpression(part.parent) && part.parent.name === part;
      tokens.push(locals.has(part.text) && !isMember ? numberOf(part.text) : part.text);
    } else if (part.getChildCount() === 0) tokens.push(part.getText());
    else part.getChildren().forEach(visit);
  };
  for (const parameter of node.parameters) visit(parameter);
  if (node.body !== undefined) visit(node.body);
  return tokens;
}

/** The kinds of the nodes of a function without types: equal functions have equal shapes. */
function shapeOf(node: typescript.Node): string {
  const kinds: number[] = [];
  const visit = (part: typescript.Node): void => {
    if (typescript.isTypeNode(part)) return;
    kinds.push(part.kind);
    typescript.forEachChild(part, visit);
  };
  typescript.forEachChild(node, visit);
  return kinds.join();
}

/** The members of a list that share their key with others, grouped by it. */
function groupsBy<Member>(list: readonly Member[], keyOf: (member: Member) => string): Member[][] {
  const groups = new Map<string, Member[]>();
  for (const member of list) {
    const key = keyOf(member);
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * The functions of a directory that are equal but for their names, their types and the names inside, as lists of
 * `file name`.
 * @param least shorter functions are ignored: the least number of their tokens
 */
export function equalFunctions(directory: string, least: number): string[][] {
  const functions: { place: string; node: NamedFunction['node']; shape: string }[] = [];
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files.sort()) {
    const visit = (part: typescript.Node): void => {
      const found = namedFunction(part);
      if (found !== undefined)
        functions.push({ place: `${file} ${found.name}`, node: found.node, shape: shapeOf(found.node) });
      typescript.forEachChild(part, visit);
    };
    const text = readFileSync(join(directory, file), 'utf8');
    visit(typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2022, true));
  }
  return groupsBy(functions, ({ shape }) => shape).flatMap((alike) => {
    const read = alike.map(({ place, node }) => ({ place, tokens: tokensOf(node) }));
    const long = read.filter(({ tokens }) => tokens.length >= least);
    return groupsBy(long, ({ tokens }) => tokens.join(' ')).map((equal) => equal.map(({ place }) => place));
  });
}
