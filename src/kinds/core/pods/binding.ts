import { quote } from '../../../errors/quote.ts';
import type { Binding, Pod } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { nameIsSubdomain } from '../../../model/name-syntax.ts';
import { setMember } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { errors } from '../../../status/errors.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Strategy } from '../../strategy.ts';
import { setPodCondition } from './scheduling-gates.ts';

/** The releases that validate the name of the node. */
const VALIDATES_NODES: Life = { since: '1.37' };

/** Validates that the target of a Binding is a named node. */
export function validateBinding(binding: Binding, { has }: Pick<RuleContext, 'has'>): FieldError[] {
  const { kind = '', name = '' } = binding.target ?? {};
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
    ...(name !== '' && (kind === '' || kind === 'Node') && has(VALIDATES_NODES)
      ? nameIsSubdomain(name, false).map((text) => invalid('target.name', name, text))
      : []),
  ];
}

/** The feature gate that removes the node for which a pod preempted others, once it is assigned. */
export const CLEARS_NOMINATION = 'ClearingNominatedNodeNameAfterBinding';

/**
 * Assigns the pod to the binding's node and copies the binding's annotations. Modifies the pod.
 * @param now RFC 3339 timestamp in seconds
 * @throws ApiError 409 when the pod is being deleted, already assigned or has scheduling gates
 */
export function applyBinding(pod: Pod, binding: Binding, now: string, isOn: (gate: string) => boolean): void {
  const name = pod.metadata?.name ?? '';
  const conflict = (text: string) =>
    errors.conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${text}`);
  if (pod.metadata?.deletionTimestamp !== undefined)
    throw conflict('is being deleted, cannot be assigned to a host');
  if (pod.spec?.nodeName) throw conflict(`is already assigned to node ${quote(pod.spec.nodeName)}`);
  if ((pod.spec?.schedulingGates ?? []).length > 0) throw conflict('has non-empty .spec.schedulingGates');
  pod.spec ??= {};
  pod.spec.nodeName = binding.target?.name ?? '';
  if (isOn(CLEARS_NOMINATION)) delete pod.status?.nominatedNodeName;
  copyMetadata(pod, binding, 'annotations');
  if (isOn('PodTopologyLabelsAdmission')) copyMetadata(pod, binding, 'labels');
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, now);
}

function copyMetadata(pod: Pod, binding: Binding, map: 'annotations' | 'labels'): void {
  const entries = Object.entries(binding.metadata?.[map] ?? {});
  if (entries.length === 0) return;
  pod.metadata ??= {};
  const own = pod.metadata[map] ?? {};
  pod.metadata[map] = own;
  for (const [key, value] of entries) setMember(own, key, value);
}

/** Bindings are never stored; creating one updates the pod. */
export const bindingStrategy: Strategy = {
  validate: (object, context) => validateBinding(object as Binding, context),
};

export const bindings = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'bindings',
  kind: 'Binding',
  verbs: ['create'],
  strategy: bindingStrategy,
});
