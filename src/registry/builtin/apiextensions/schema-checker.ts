import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';
import type { FieldError } from '../../../status/field-error.ts';

/** What is known about a schema whose rules are checked. */
export interface RulesContext {
  /** Whether the schema at a path, or one below it, has errors of its own: its rules are not looked at. */
  readonly hasErrors: (path: string) => boolean;
  /** Rules that the definition had before, which may use what only stored ones may. */
  readonly storedRules: ReadonlySet<string>;
  /** The same for the expressions of messages. */
  readonly storedMessages: ReadonlySet<string>;
  /** The schema was accepted before: what one rule may cost is not asked again. */
  readonly isUnchanged: boolean;
}

/**
 * What only an engine for values and expressions can say about the schema of a version. `field` is where the
 * schema stands.
 */
export interface SchemaChecker {
  /** Loads the engine; awaited before anything is asked. */
  load?(): Promise<void>;
  /** Whether the expressions of its rules compile and what they may cost; asked of structural schemas. */
  rules(root: JSONSchemaProps, field: string, context: RulesContext): FieldError[];
  /** The same in steps that yield how much they were, in characters. Without it, `rules` takes no time. */
  rulesInSteps?(
    root: JSONSchemaProps,
    field: string,
    context: RulesContext,
  ): Generator<number, FieldError[], void>;
  /** Whether its defaults fit it; asked of structural schemas. */
  defaults(root: JSONSchemaProps, field: string): FieldError[];
}

/** Takes every rule and every default as it stands. */
export const UNCHECKED: SchemaChecker = { rules: () => [], defaults: () => [] };

type Engine = typeof import('./rule-expressions.ts') & typeof import('./defaults-validation.ts');

let engine: Engine | undefined;

function loaded(): NonNullable<typeof engine> {
  if (engine === undefined) throw new Error('rules are checked before their engine is loaded');
  return engine;
}

/**
 * Compiles the rules. The engine is loaded with the first definition, so that starting does not wait for it.
 */
export const COMPILING: SchemaChecker = {
  async load() {
    engine ??= { ...(await import('./rule-expressions.ts')), ...(await import('./defaults-validation.ts')) };
  },
  rules(root, field, context) {
    return loaded().validateRuleExpressions(root, field, context);
  },
  rulesInSteps(root, field, context) {
    return loaded().validateRuleExpressionsInSteps(root, field, context);
  },
  defaults: (root, field) => loaded().validateDefaults(root, field),
};
