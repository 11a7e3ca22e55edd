import type { BuiltinResource } from '../builtin-resource.ts';
import { controllerRevisions } from './controller-revision.ts';
import { daemonSets } from './daemon-set.ts';
import { deployments } from './deployment.ts';
import { replicaSets } from './replica-set.ts';
import { statefulSets } from './stateful-set.ts';

export const appsResources: readonly BuiltinResource[] = [
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
];
