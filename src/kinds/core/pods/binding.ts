import { quote } from '../../../errors/quote.ts';
import type { Binding, Pod } from '../../../model/generated/core-v1.ts';
import { setMember } from '../../../model/object.ts';
import { errors } from '../../../status/errors.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Strategy } from '../../strategy.ts';
import { setPodCondition } from './scheduling-gates.ts';

/** Validates that the target of a Binding is a named node. */
export function validateBinding(binding: Binding): FieldError[] {
  const { kind = '', name = '' } = binding.target ?? {};
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ];
}

/**
 * Assigns the pod to the binding's node and copies the binding's annotations. Modifies the pod.
 * @param now RFC 3339 timestamp in seconds
 * @throws ApiError 409 when the pod is being deleted, already assigned or has scheduling gates
 */
export function applyBinding(pod: Pod, binding: Binding, now: string): void {
  const name = pod.metadata?.name ?? '';
  const conflict = (text: string) =>
    errors.conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${text}`);
  if (pod.metadata?.deletionTimestamp !== undefined)
    throw conflict('is being deleted, cannot be assigned to a host');
  if (pod.spec?.nodeName) throw conflict(`is already assigned to node ${quote(pod.spec.nodeName)}`);
  if ((pod.spec?.schedulingGates ?? []).length > 0) throw conflict('has non-empty .spec.schedulingGates');
  pod.spec ??= {};
  pod.spec.nodeName = binding.target?.name ?? '';
  const annotations = binding.metadata?.annotations;
  if (annotations !== undefined && Object.keys(annotations).length > 0) {
    pod.metadata ??= {};
    pod.metadata.annotations ??= {};
    for (const [key, value] of Object.entries(annotations)) setMember(pod.metadata.annotations, key, value);
  }
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, now);
}

/** Bindings are never stored; creating one updates the pod. */
export const bindingStrategy: Strategy = { validate: (object) => validateBinding(object as Binding) };

export const bindings = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'bindings',
  kind: 'Binding',
  verbs: ['create'],
  strategy: bindingStrategy,
  descriptions: {
    Binding: 'Assigns a pod to a node.',
  },
});
