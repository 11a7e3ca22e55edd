import type { RuleContext } from '../../src/model/rule-context.ts';
import { schemeOf } from '../../src/model/scheme.ts';

/** The default release with the defaults of its feature gates. */
export const RULES: RuleContext = { has: schemeOf().has, isOn: schemeOf().isOnByDefault };
