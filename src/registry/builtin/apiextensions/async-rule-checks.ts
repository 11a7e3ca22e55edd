import type { CustomResourceDefinition, JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { runInTurns } from '../../../steps/run.ts';
import type { LoopTurns } from '../../../steps/turns.ts';
import { AsyncChecks, type PendingCheck } from '../../validation/async-checks.ts';
import { findErrorsInSteps, once, validateInSteps } from '../../validation/validate-in-steps.ts';
import type { RulesContext, SchemaChecker } from './schema-checker.ts';
import { factsOf, sizeOfAllRules } from './schema-facts.ts';

/** Compiles the rules of definitions; many rules are compiled in steps that yield to the event loop. */
export class AsyncRuleChecks {
  readonly #asyncChecks = new AsyncChecks<FieldError[]>();
  readonly #checker: SchemaChecker;

  constructor(checker: SchemaChecker) {
    this.#checker = checker;
  }

  /**
   * Compiles the rules of a definition before its validation. @param validate validates with the given
   * checker
   */
  async compile(
    turns: LoopTurns,
    definition: CustomResourceDefinition,
    validate: (checker: SchemaChecker) => readonly FieldError[],
  ): Promise<void> {
    const checker = this.#checker;
    if (checker.rulesInSteps === undefined) return;
    // Few rules are compiled by the validation itself.
    const size = await runInTurns(
      turns,
      validateInSteps(() => sizeOfAllRules(definition.spec ?? {})),
    );
    if (!this.#asyncChecks.areLarge(size)) {
      this.#asyncChecks.forget(definition);
      return;
    }
    const checks: PendingCheck<FieldError[]>[] = [];
    const collecting: SchemaChecker = {
      defaults: (root, field) => checker.defaults(root, field),
      rules(root: JSONSchemaProps, field: string, context: RulesContext) {
        checks.push({
          key: field,
          size: factsOf(root).sizeOfRules,
          run: () => checker.rulesInSteps!(root, field, context),
        });
        return [];
      },
    };
    const collect = () => {
      checks.length = 0;
      return validate(collecting);
    };
    await runInTurns(turns, findErrorsInSteps(collect));
    await this.#asyncChecks.run(turns, definition, checks);
  }

  /** Returns the checker for the validation of a definition. */
  checkerFor(definition: CustomResourceDefinition): SchemaChecker {
    const resultOf = this.#asyncChecks.results(definition);
    return {
      defaults: (root, field) => this.#checker.defaults(root, field),
      rules: (root, field, context) =>
        resultOf(field, () =>
          once(root, { place: 'rules', cost: costOfRules(root) }, () =>
            factsOf(root).sizeOfRules === 0 ? [] : this.#checker.rules(root, field, context),
          ),
        ),
    };
  }
}

/** Maximum cost of compiling the rules of a schema that has few, in microseconds. */
const RULES_COST = 4096;
const MICROSECONDS_PER_CHARACTER = 4;

const costOfRules = (root: JSONSchemaProps): number =>
  Math.min(factsOf(root).sizeOfRules * MICROSECONDS_PER_CHARACTER, RULES_COST);
