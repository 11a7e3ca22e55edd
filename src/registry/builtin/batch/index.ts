import type { Strategy } from '../../strategy.ts';
import { cronJobStrategy } from './cron-job.ts';
import { jobStrategy } from './job.ts';

/** Strategies of `batch`, by resource. */
export const strategies: Record<string, Strategy> = { cronjobs: cronJobStrategy, jobs: jobStrategy };
