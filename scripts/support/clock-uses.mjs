import typescript from 'typescript-6';

/** The parts that take time from the machine: the clocks themselves, and the connection layer. */
const PERMITTED = ['src/time/', 'src/connection/', 'src/http2/'];

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
const MEMBERS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'AbortSignal.timeout']);
const MODULE = /^(node:)?timers(\/promises)?$/;
/** Most files have none of these words. */
const WORDS = /\b(setTimeout|setInterval|setImmediate|now|hrtime|timeout|Date|timers|perf_hooks)\b/;

/**
 * Finds where a file reads the clock of the machine or sets a timer without a clock of `src/time/`: a cluster's time
 * can be frozen and advanced, and each use has to say whether it follows it.
 * @param {string} file path from the root of the repository
 * @param {string} text its content
 * @returns {string[]} `file:line uses …`
 */
export function clockUses(file, text) {
  if (PERMITTED.some((part) => file.startsWith(part)) || !WORDS.test(text)) return [];
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2022, true);
  const found = [];
  const visit = (node) => {
    const use = useOf(node);
    if (use !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${line + 1} uses ${use}: take a clock of src/time/`);
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a node uses of the machine's time; undefined for nothing. */
function useOf(node) {
  if (typescript.isNewExpression(node) || typescript.isCallExpression(node))
    return isGlobal(node.expression, 'Date') && !node.arguments?.length ? 'the present Date' : undefined;
  if (typescript.isPropertyAccessExpression(node)) return memberUse(node.expression, node.name.text);
  if (typescript.isElementAccessExpression(node) && typescript.isStringLiteralLike(node.argumentExpression))
    return memberUse(node.expression, node.argumentExpression.text);
  if (typescript.isImportSpecifier(node))
    return node.propertyName?.text === 'performance' ? 'performance' : undefined;
  if (typescript.isStringLiteralLike(node)) return MODULE.test(node.text) ? node.text : undefined;
  return typescript.isIdentifier(node) && TIMERS.has(node.text) && isReference(node) ? node.text : undefined;
}

function memberUse(object, member) {
  if (TIMERS.has(member)) return isGlobal(object, 'globalThis') ? member : undefined;
  const name = `${lastName(object)}.${member}`;
  return MEMBERS.has(name) ? name : undefined;
}

/** `Date` of `Date` and of `globalThis.Date`. */
const lastName = (node) =>
  typescript.isIdentifier(node)
    ? node.text
    : typescript.isPropertyAccessExpression(node) && isGlobal(node.expression, 'globalThis')
      ? node.name.text
      : '';

const isGlobal = (node, name) => lastName(node) === name;

/** Whether an identifier is a value, and not the name of a member or of a declaration. */
function isReference(node) {
  const { parent } = node;
  return !('name' in parent && parent.name === node) || typescript.isShorthandPropertyAssignment(parent);
}
