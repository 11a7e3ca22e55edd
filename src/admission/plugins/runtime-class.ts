import { getMember, type KubernetesObject, setMember } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import { admissionForbidden } from '../forbidden.ts';
import { type AdmissionReaders, whenKnown } from '../readers.ts';
import { onPods, podSpec, type Toleration } from './pod.ts';

interface RuntimeClass extends KubernetesObject {
  overhead?: { podFixed?: Record<string, string> };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

/** A pod of a runtime class takes over what running it costs, and where it can run. */
export function runtimeClass({ runtimeClass: find }: Pick<AdmissionReaders, 'runtimeClass'>): AdmissionPlugin {
  /** Calls `next` with the class of the pod, if it names one. */
  const withClass = (request: AdmissionRequest, next: (found: RuntimeClass | undefined) => void): void | Promise<void> => {
    const { runtimeClassName } = podSpec(request.object!);
    if (runtimeClassName === undefined) return next(undefined);
    return whenKnown(find(runtimeClassName), (found) => {
      if (found === undefined) throw admissionForbidden(request, `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
      next(found);
    });
  };
  return {
    name: 'RuntimeClass',
    handles: onPods('CREATE'),
    admit: (request) =>
      withClass(request, (found) => {
        if (found === undefined) return;
        const spec = podSpec(request.object!);
        const { podFixed } = found.overhead ?? {};
        if (podFixed !== undefined && spec.overhead === undefined) spec.overhead = { ...podFixed };
        selectNodes(request, found.scheduling?.nodeSelector ?? {});
        const given = new Set((spec.tolerations ?? []).map(tolerationKey));
        const missing = (found.scheduling?.tolerations ?? []).filter((toleration) => !given.has(tolerationKey(toleration)));
        if (missing.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...missing.map((toleration) => ({ ...toleration }))];
      }),
    validate: (request) =>
      withClass(request, (found) => {
        const { overhead } = podSpec(request.object!);
        const { podFixed } = found?.overhead ?? {};
        if (podFixed !== undefined && !sameQuantities(overhead ?? {}, podFixed))
          throw admissionForbidden(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        if (podFixed === undefined && overhead !== undefined)
          throw admissionForbidden(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }),
  };
}

function selectNodes(request: AdmissionRequest, wanted: Record<string, string>): void {
  const spec = podSpec(request.object!);
  const selector = { ...spec.nodeSelector };
  for (const [key, value] of Object.entries(wanted)) {
    const given = getMember(selector, key);
    if (given !== undefined && given !== value)
      throw admissionForbidden(request, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`);
    setMember(selector, key, value);
  }
  if (Object.keys(wanted).length > 0) spec.nodeSelector = selector;
}

/** Tells tolerations apart; what is not set differs from what is set to nothing. */
const tolerationKey = ({ key, operator, value, effect, tolerationSeconds }: Toleration): string =>
  [key, operator, value, effect, tolerationSeconds].map((member) => (member === undefined ? '' : JSON.stringify(String(member)))).join();

/** Quantities are compared in their canonical text. */
function sameQuantities(one: Record<string, string>, other: Record<string, string>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => getMember(other, key) === one[key]);
}
