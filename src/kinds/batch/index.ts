import type { BuiltinResource } from '../builtin-resource.ts';
import { cronJobs } from './cron-job.ts';
import { jobs } from './job.ts';

export const batchResources: readonly BuiltinResource[] = [cronJobs, jobs];
