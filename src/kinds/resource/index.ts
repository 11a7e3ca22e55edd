import type { BuiltinResource } from '../builtin-resource.ts';
import { deviceClasses } from './device-class.ts';
import { deviceTaintRules } from './device-taint-rule.ts';
import { resourceClaims, resourceClaimTemplates } from './resource-claim.ts';
import { resourceSlices } from './resource-slice.ts';

export const deviceResources: readonly BuiltinResource[] = [
  deviceClasses,
  deviceTaintRules,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
];
