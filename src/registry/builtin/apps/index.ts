import type { Strategy } from '../../strategy.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { statefulSetStrategy } from './stateful-set.ts';

/** Strategies of `apps`, by resource. */
export const strategies: Record<string, Strategy> = {
  controllerrevisions: controllerRevisionStrategy,
  daemonsets: daemonSetStrategy,
  deployments: deploymentStrategy,
  replicasets: replicaSetStrategy,
  statefulsets: statefulSetStrategy,
};
