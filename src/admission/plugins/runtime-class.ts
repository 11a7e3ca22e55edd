import { quote } from '../../errors/quote.ts';
import type { PodSpec } from '../../model/generated/core-v1.ts';
import type { RuntimeClass } from '../../model/generated/node-v1.ts';
import { getMember, setMember } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { mergeTolerations } from './merged-tolerations.ts';
import { onPods, podSpec } from './pod.ts';

/** Sets the overhead and the scheduling constraints of the pod's runtime class. */
export function runtimeClass({ runtimeClass: find }: Pick<AdmissionListers, 'runtimeClass'>): BuiltinPlugin {
  /** Calls `next` with the class of the pod, if it names one. */
  const withClass = (
    request: AdmissionRequest,
    next: (found: RuntimeClass | undefined) => void,
  ): void | Promise<void> => {
    const { runtimeClassName } = podSpec(request.object!);
    if (runtimeClassName === undefined) return next(undefined);
    return mapMaybePromise(find(runtimeClassName), (found) => {
      if (found === undefined)
        throw admissionForbidden(request, `pod rejected: RuntimeClass ${quote(runtimeClassName)} not found`);
      next(found);
    });
  };
  return {
    handles: onPods('CREATE'),
    admit: (request) =>
      withClass(request, (found) => {
        if (found === undefined) return;
        const spec = podSpec(request.object!);
        setOverhead(request, spec, found);
        selectNodes(request, found.scheduling?.nodeSelector ?? {});
        const tolerations = found.scheduling?.tolerations;
        if (found.scheduling !== undefined)
          spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations ?? []);
      }),
    validate: (request) =>
      withClass(request, (found) => {
        const { overhead } = podSpec(request.object!);
        if (found?.overhead !== undefined) requireOverhead(request, overhead, found.overhead.podFixed);
        else if (overhead !== undefined)
          throw admissionForbidden(
            request,
            'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
          );
      }),
  };
}

/** Sets the overhead of the class; a pod may only specify the same. */
function setOverhead(request: AdmissionRequest, spec: PodSpec, { overhead }: RuntimeClass): void {
  if (overhead === undefined) return;
  const { podFixed } = overhead;
  if (Object.keys(spec.overhead ?? {}).length > 0) requireOverhead(request, spec.overhead, podFixed);
  if (podFixed === undefined) delete spec.overhead;
  else spec.overhead = { ...podFixed };
}

function requireOverhead(
  request: AdmissionRequest,
  overhead: Record<string, string> = {},
  podFixed: Record<string, string> = {},
): void {
  if (!sameQuantities(overhead, podFixed))
    throw admissionForbidden(
      request,
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
}

function selectNodes(request: AdmissionRequest, required: Record<string, string>): void {
  const spec = podSpec(request.object!);
  const selector = { ...spec.nodeSelector };
  for (const [key, value] of Object.entries(required)) {
    const existing = getMember(selector, key);
    if (existing !== undefined && existing !== value)
      throw admissionForbidden(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${existing}`,
      );
    setMember(selector, key, value);
  }
  if (Object.keys(required).length > 0) spec.nodeSelector = selector;
}

/** Compares quantities in canonical form. */
function sameQuantities(one: Record<string, string>, other: Record<string, string>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => getMember(other, key) === one[key]);
}
