import type { Strategy } from '../../strategy.ts';
import { type ExpressionChecker, UNCHECKED } from '../admissionregistration/expressions.ts';
import { deviceClassStrategy } from './device-class.ts';
import { resourceClaimStrategy, resourceClaimTemplateStrategy } from './resource-claim.ts';
import { resourceSliceStrategy } from './resource-slice.ts';

/** @param checker compiles device selectors */
export const deviceStrategies = (checker: ExpressionChecker): Record<string, Strategy> => ({
  deviceclasses: deviceClassStrategy(checker),
  resourceclaims: resourceClaimStrategy(checker),
  resourceclaimtemplates: resourceClaimTemplateStrategy(checker),
  resourceslices: resourceSliceStrategy,
});

export const strategies = deviceStrategies(UNCHECKED);
