import type { BuiltinResource } from '../builtin-resource.ts';
import { deviceClasses } from './device-class.ts';
import { resourceClaims, resourceClaimTemplates } from './resource-claim.ts';
import { resourceSlices } from './resource-slice.ts';

export const deviceResources: readonly BuiltinResource[] = [
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
];
