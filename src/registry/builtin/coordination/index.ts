import type { Strategy } from '../../strategy.ts';
import { leaseStrategy } from './lease.ts';
import { leaseCandidateStrategy } from './lease-candidate.ts';

export const strategies: Record<string, Strategy> = {
  leases: leaseStrategy,
  leasecandidates: leaseCandidateStrategy,
};
