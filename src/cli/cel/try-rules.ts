import { compileRuleTree, evaluateRules, RULES_BUDGET, type RuleSchema } from '../../cel/index.ts';
import { runNow } from '../../steps/run.ts';
import type { CommandOutput } from '../output.ts';

/** Evaluates all rules of a schema on an object. @returns the exit code */
export function tryRules(
  schema: RuleSchema,
  self: unknown,
  old: unknown,
  { out, error }: CommandOutput,
): number {
  const tree = runNow(compileRuleTree(schema, true));
  if (tree === undefined) {
    out('The schema has no rules.\n');
    return 0;
  }
  const { errors, budget } = runNow(evaluateRules(tree, self, old ?? undefined));
  for (const { field, detail } of errors) error(`${field === '<nil>' ? '' : `${field}: `}${detail}\n`);
  out(
    `${errors.length === 0 ? 'all rules hold' : `${errors.length} failed`}, cost ${budget < 0 ? `more than ${RULES_BUDGET}` : `${RULES_BUDGET - budget} of ${RULES_BUDGET}`}\n`,
  );
  return errors.length === 0 ? 0 : 1;
}
