import {
  checkBindingEscalation,
  checkRoleEscalation,
  type EscalationContext,
} from '../authorization/escalation.ts';
import type { KubernetesObject } from '../model/object.ts';
import { COMPILING as COMPILING_EXPRESSIONS } from '../registry/builtin/admissionregistration/expressions.ts';
import { admissionStrategies } from '../registry/builtin/admissionregistration/index.ts';
import { definitionStrategies } from '../registry/builtin/apiextensions/index.ts';
import { COMPILING as COMPILING_RULES } from '../registry/builtin/apiextensions/schema-checker.ts';
import { strategies as apiregistration } from '../registry/builtin/apiregistration/index.ts';
import { strategies as apps } from '../registry/builtin/apps/index.ts';
import { strategies as autoscaling } from '../registry/builtin/autoscaling/index.ts';
import { strategies as batch } from '../registry/builtin/batch/index.ts';
import { strategies as certificates } from '../registry/builtin/certificates/index.ts';
import { strategies as coordination } from '../registry/builtin/coordination/index.ts';
import { eventStrategy } from '../registry/builtin/core/event.ts';
import { strategies as core } from '../registry/builtin/core/index.ts';
import type { ServiceAllocator } from '../registry/builtin/core/services/allocation/service-allocator.ts';
import { allocatingServiceStrategy } from '../registry/builtin/core/services/service.ts';
import { strategies as discovery } from '../registry/builtin/discovery/index.ts';
import { newEventStrategy } from '../registry/builtin/events/index.ts';
import { strategies as flowcontrol } from '../registry/builtin/flowcontrol/index.ts';
import { strategies as internal } from '../registry/builtin/internal/index.ts';
import { strategies as networking } from '../registry/builtin/networking/index.ts';
import { strategies as node } from '../registry/builtin/node/index.ts';
import { strategies as policy } from '../registry/builtin/policy/index.ts';
import { strategies as rbac } from '../registry/builtin/rbac/index.ts';
import { COMPILING_SELECTORS } from '../registry/builtin/resource/device-expressions.ts';
import { deviceStrategies } from '../registry/builtin/resource/index.ts';
import { strategies as scheduling } from '../registry/builtin/scheduling/index.ts';
import { strategies as storage } from '../registry/builtin/storage/index.ts';
import { strategies as storagemigration } from '../registry/builtin/storagemigration/index.ts';
import type { StrategyTable } from '../registry/registry.ts';
import type { Strategy, StrategyContext } from '../registry/strategy.ts';

/** The strategy of kinds without rules of their own. */
const GENERAL_RULES: Strategy = {};
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const BY_GROUP: Readonly<Record<string, Readonly<Record<string, Strategy>>>> = {
  '': core,
  apps,
  batch,
  autoscaling,
  policy,
  'admissionregistration.k8s.io': admissionStrategies(COMPILING_EXPRESSIONS),
  'apiextensions.k8s.io': definitionStrategies(COMPILING_RULES),
  'apiregistration.k8s.io': apiregistration,
  'certificates.k8s.io': certificates,
  'coordination.k8s.io': coordination,
  'discovery.k8s.io': discovery,
  'flowcontrol.apiserver.k8s.io': flowcontrol,
  'internal.apiserver.k8s.io': internal,
  'networking.k8s.io': networking,
  'node.k8s.io': node,
  [RBAC_GROUP]: rbac,
  'resource.k8s.io': deviceStrategies(COMPILING_SELECTORS),
  'scheduling.k8s.io': scheduling,
  'storage.k8s.io': storage,
  'storagemigration.k8s.io': storagemigration,
};

export interface StrategyOptions {
  readonly allocator: ServiceAllocator;
  readonly eventSeconds: number;
  /** The dependencies of escalation checks; read on demand, since they are created after the registry. */
  escalation(): Pick<EscalationContext, 'authorizer' | 'resolver' | 'roles'> | undefined;
}

/** Returns the strategies of all built-in resources with their dependencies. */
export function strategyTable({ allocator, eventSeconds, escalation }: StrategyOptions): StrategyTable {
  const guarded = (kind: string, strategy: Strategy): Strategy => ({
    ...strategy,
    authorize: async (
      object: KubernetesObject,
      _old: KubernetesObject | undefined,
      { user, namespace }: StrategyContext,
    ) => {
      const parts = escalation();
      if (parts === undefined) return;
      const context: EscalationContext = { user, namespace, ...parts };
      if (kind === 'Role' || kind === 'ClusterRole')
        await checkRoleEscalation(object as never, kind, context);
      else await checkBindingEscalation(object as never, kind as 'RoleBinding', context);
    },
  });
  const own: Readonly<Record<string, Strategy>> = {
    '/services': allocatingServiceStrategy(allocator),
    '/events': eventStrategy(eventSeconds),
    'events.k8s.io/events': newEventStrategy(eventSeconds),
    [`${RBAC_GROUP}/roles`]: guarded('Role', rbac.roles ?? GENERAL_RULES),
    [`${RBAC_GROUP}/clusterroles`]: guarded('ClusterRole', rbac.clusterroles ?? GENERAL_RULES),
    [`${RBAC_GROUP}/rolebindings`]: guarded('RoleBinding', rbac.rolebindings ?? GENERAL_RULES),
    [`${RBAC_GROUP}/clusterrolebindings`]: guarded(
      'ClusterRoleBinding',
      rbac.clusterrolebindings ?? GENERAL_RULES,
    ),
  };
  return (group, name) => {
    return own[`${group}/${name}`] ?? BY_GROUP[group]?.[name] ?? GENERAL_RULES;
  };
}
