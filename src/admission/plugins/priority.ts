import type { PriorityClass } from '../../model/generated/scheduling-v1.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods, podSpec } from './pod.ts';

/** The class of pods when there is no default class. */
const NO_CLASS: PriorityClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' };

const isPod = onPods('CREATE', 'UPDATE');

/** Resolves the priority class of pods and enforces a single default class. */
export function priority({
  priorityClass,
  priorityClasses,
}: Pick<AdmissionListers, 'priorityClass' | 'priorityClasses'>): BuiltinPlugin {
  const isClass = (group: string, resource: string) =>
    group === 'scheduling.k8s.io' && resource === 'priorityclasses';
  return {
    handles: (operation, group, resource, subresource) =>
      isPod(operation, group, resource, subresource) ||
      ((operation === 'CREATE' || operation === 'UPDATE') && subresource === '' && isClass(group, resource)),
    admit(request) {
      if (request.resource.resource !== 'pods') return;
      const spec = podSpec(request.object!);
      if (request.operation === 'UPDATE') {
        // Immutable fields: restored for clients that do not know them.
        const old = podSpec(request.oldObject!);
        spec.priority ??= old.priority;
        spec.preemptionPolicy ??= old.preemptionPolicy;
        return;
      }
      const { priorityClassName: name = '' } = spec;
      if (name === '')
        return mapMaybePromise(priorityClasses(), (classes) =>
          prioritize(request, lowestDefault(classes) ?? NO_CLASS),
        );
      return mapMaybePromise(priorityClass(name), (found) => {
        if (found === undefined)
          throw admissionForbidden(request, `no PriorityClass with name ${name} was found`);
        prioritize(request, found);
      });
    },
    validate(request) {
      if (
        !isClass(request.resource.group, request.resource.resource) ||
        !(request.object as PriorityClass).globalDefault
      )
        return;
      return mapMaybePromise(priorityClasses(), (classes) => {
        const current = lowestDefault(classes)?.metadata?.name;
        if (current === undefined || (request.operation === 'UPDATE' && current === request.name)) return;
        throw admissionForbidden(
          request,
          `PriorityClass ${current} is already marked as default. Only one default can exist`,
        );
      });
    },
  };
}

function prioritize(
  request: AdmissionRequest,
  { metadata, value = 0, preemptionPolicy }: PriorityClass,
): void {
  const spec = podSpec(request.object!);
  if (metadata?.name !== undefined) spec.priorityClassName = metadata.name;
  if (spec.priority !== undefined && spec.priority !== value) {
    throw admissionForbidden(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  if (preemptionPolicy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw admissionForbidden(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}

/** The default class; of several the one with the lowest priority. */
function lowestDefault(classes: Iterable<PriorityClass>): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const one of classes)
    if (one.globalDefault && (lowest === undefined || (one.value ?? 0) < (lowest.value ?? 0))) lowest = one;
  return lowest;
}
