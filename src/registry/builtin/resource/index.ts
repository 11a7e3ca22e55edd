import type { Strategy } from '../../strategy.ts';
import { deviceClassStrategy } from './device-class.ts';
import { resourceClaimStrategy, resourceClaimTemplateStrategy } from './resource-claim.ts';
import { resourceSliceStrategy } from './resource-slice.ts';

export const strategies: Record<string, Strategy> = {
  deviceclasses: deviceClassStrategy,
  resourceclaims: resourceClaimStrategy,
  resourceclaimtemplates: resourceClaimTemplateStrategy,
  resourceslices: resourceSliceStrategy,
};
