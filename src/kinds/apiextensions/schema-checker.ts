import type { EstimateOptions } from '../../cel/index.ts';
import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { Steps } from '../../steps/steps.ts';
import { compatibilityOf } from '../validation/expression-compatibility.ts';

/** Context of the rules of a schema. */
export interface RulesContext {
  /** Returns whether the schema at a path, or one below it, has errors; its rules are then not checked. */
  readonly hasErrors: (path: string) => boolean;
  /** Rules of the stored definition, which may use everything that stored rules may use. */
  readonly storedRules: ReadonlySet<string>;
  /** Message expressions of the stored definition. */
  readonly storedMessages: ReadonlySet<string>;
  /** The schema is unchanged: the cost limit per rule does not apply. */
  readonly isUnchanged: boolean;
  /** The minor version (of 1.x) whose functions new rules can use; default: 31. */
  readonly compatibility?: number;
  /** How the costs of rules are estimated. */
  readonly estimate?: EstimateOptions;
}

/** Checks of a schema that need the value validator or the CEL engine. `field` is the path of the schema. */
export interface SchemaChecker {
  /** Loads the engine; awaited before the first check. */
  load?(): Promise<void>;
  /** Validates the rules of a structural schema: whether they compile, and their cost. */
  rules(root: JSONSchemaProps, field: string, context: RulesContext): Steps<FieldError[]>;
  /** Validates the defaults of a structural schema. */
  defaults(root: JSONSchemaProps, field: string): FieldError[];
}

/** Accepts every rule and every default. */
export const UNCHECKED: SchemaChecker = {
  // biome-ignore lint/correctness/useYield: nothing to do
  *rules() {
    return [];
  },
  defaults: () => [],
};

type Engine = typeof import('./rule-expressions.ts') & typeof import('./defaults-validation.ts');

let engine: Engine | undefined;

function loaded(): NonNullable<typeof engine> {
  if (engine === undefined) throw new Error('CEL engine is not loaded: await load() before checking rules');
  return engine;
}

/** The releases that estimate the cost of `dyn(value)` by the size of its value. */
const KEEPS_SIZE_OF_DYN: Life = { since: '1.33' };

/**
 * Compiles rules. The engine is loaded with the first definition, so that startup does not wait for it.
 * @param has of the release whose rules defaults must obey, and whose functions new rules can use
 */
export const compilingChecker = (has: RuleContext['has']): SchemaChecker => ({
  async load() {
    engine ??= { ...(await import('./rule-expressions.ts')), ...(await import('./defaults-validation.ts')) };
  },
  rules(root, field, context) {
    const compatibility = compatibilityOf({ has });
    const estimate = { keepsSizeOfDyn: has(KEEPS_SIZE_OF_DYN) };
    return loaded().validateRuleExpressions(root, field, { ...context, compatibility, estimate });
  },
  defaults: (root, field) => loaded().validateDefaults(root, field, has),
});
