import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';

/** The releases in which new expressions can use what CEL got in 1.32. */
const USES_1_32: Life = { since: '1.33' };

/**
 * The minor version (of 1.x) whose functions new expressions can use: that before the release, so that a server of
 * it compiles them too. No library here came later than with 1.32.
 */
export const compatibilityOf = ({ has }: Pick<RuleContext, 'has'>): number => (has(USES_1_32) ? 32 : 31);
