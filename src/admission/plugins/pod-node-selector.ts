import { getMember, setMember } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { admissionForbidden } from '../forbidden.ts';
import { type AdmissionListers, mapMaybePromise } from '../listers.ts';
import { onPods, podSpec } from './pod.ts';

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/** Merges the node selector from the namespace's annotation (`key=value,…`) into pods. */
export function podNodeSelector({ namespace: find }: Pick<AdmissionListers, 'namespace'>): AdmissionPlugin {
  const withSelector = (
    request: AdmissionRequest,
    use: (required: readonly (readonly [string, string])[]) => void,
  ): void | Promise<void> =>
    mapMaybePromise(find(request.namespace), (namespace) => {
      if (namespace === undefined)
        throw errors.notFound({ group: '', resource: 'namespaces' }, request.namespace);
      const text = getMember(namespace.metadata?.annotations ?? {}, ANNOTATION);
      use(typeof text === 'string' ? parse(text) : []);
    });
  const conflicts = (
    request: AdmissionRequest,
    required: readonly (readonly [string, string])[],
  ): boolean => {
    const selector = podSpec(request.object!).nodeSelector ?? {};
    return required.some(
      ([key, value]) => getMember(selector, key) !== undefined && getMember(selector, key) !== value,
    );
  };
  const conflictError = (request: AdmissionRequest) =>
    admissionForbidden(request, 'pod node label selector conflicts with its namespace node label selector');
  return {
    name: 'PodNodeSelector',
    handles: onPods('CREATE'),
    admit: (request) =>
      withSelector(request, (required) => {
        if (required.length === 0) return;
        if (conflicts(request, required)) throw conflictError(request);
        const spec = podSpec(request.object!);
        const selector = { ...spec.nodeSelector };
        for (const [key, value] of required) setMember(selector, key, value);
        spec.nodeSelector = selector;
      }),
    validate: (request) =>
      withSelector(request, (required) => {
        if (conflicts(request, required)) throw conflictError(request);
      }),
  };
}

/** Parses an equality-based selector. */
const parse = (text: string): (readonly [string, string])[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.includes('='))
    .map(
      (part) =>
        [
          part.slice(0, part.indexOf('=')).trim(),
          part
            .slice(part.indexOf('=') + 1)
            .replace(/^=/, '')
            .trim(),
        ] as const,
    );
