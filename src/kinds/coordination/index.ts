import type { BuiltinResource } from '../builtin-resource.ts';
import { leases } from './lease.ts';
import { leaseCandidates } from './lease-candidate.ts';

export const coordinationResources: readonly BuiltinResource[] = [leases, leaseCandidates];
