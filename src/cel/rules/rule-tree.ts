import type { Pace } from '../../steps/pace.ts';
import type { Steps } from '../../steps/steps.ts';
import { type CompiledRules, compilationPace, compileRules, type RuleCompilation } from './compile-rules.ts';
import { elementOf, mapValueOf, type RuleSchema } from './rule-schema.ts';

/** The compiled rules of a schema and its descendants. Parts without rules are omitted. */
export interface RuleTree {
  readonly schema: RuleSchema;
  readonly isResource: boolean;
  /** Undefined when the node has no rules; `untyped` when its rules cannot access its values. */
  readonly own: CompiledRules | 'untyped' | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** The path of a node from the root: `.spec.ports[]`, the values of a map as `{}`. */
type Visit = (own: CompiledRules, path: string) => void;

/**
 * Compiles all rules of a schema, to evaluate stored objects. Undefined when it has none.
 * @param isResource the schema describes a whole object
 * @param visit called for each node with rules, outer ones first
 */
export function compileRuleTree(
  schema: RuleSchema,
  isResource: boolean,
  options: RuleCompilation = {},
  visit?: Visit,
): Steps<RuleTree | undefined> {
  const node = { isResource, isProperty: false, path: '' };
  return compileBelow(schema, node, { options, visit, pace: compilationPace() });
}

/** The compilation of a schema with all that is below it. */
interface Compilation {
  readonly options: RuleCompilation;
  readonly visit: Visit | undefined;
  readonly pace: Pace;
}

interface Node {
  readonly isResource: boolean;
  /** It is a property of an object: rules that cannot access its values are left out. */
  readonly isProperty: boolean;
  readonly path: string;
}

function* compileBelow(
  schema: RuleSchema,
  { isResource, isProperty, path }: Node,
  compilation: Compilation,
): Steps<RuleTree | undefined> {
  const { options, visit, pace } = compilation;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const compiled =
    rules.length === 0 ? undefined : yield* compileRules(schema, { ...options, isResource }, pace);
  if (compiled !== undefined) visit?.(compiled, path);
  const own = compiled ?? (rules.length > 0 && !isProperty ? 'untyped' : undefined);
  const below = (child: RuleSchema, step: string): Steps<RuleTree | undefined> => {
    const isWhole = child['x-kubernetes-embedded-resource'] === true;
    const node = { isResource: isWhole, isProperty: step.startsWith('.'), path: `${path}${step}` };
    return compileBelow(child, node, compilation);
  };
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const tree = yield* below(property, `.${name}`);
    if (tree !== undefined) properties.set(name, tree);
  }
  const element = elementOf(schema);
  const items = element && (yield* below(element, '[]'));
  const mapValue = mapValueOf(schema);
  const additionalProperties = mapValue && (yield* below(mapValue, '{}'));
  if (own === undefined && properties.size === 0 && items === undefined && additionalProperties === undefined)
    return undefined;
  return { schema, isResource, own, properties, additionalProperties, items };
}
