import { getMember, setMember } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { admissionForbidden } from '../forbidden.ts';
import { type AdmissionListers, mapMaybePromise } from '../listers.ts';
import { onPods, podSpec } from './pod.ts';

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/** A namespace says on which nodes its pods run: `key=value,…` in an annotation. */
export function podNodeSelector({ namespace: find }: Pick<AdmissionListers, 'namespace'>): AdmissionPlugin {
  const withSelector = (
    request: AdmissionRequest,
    use: (wanted: readonly (readonly [string, string])[]) => void,
  ): void | Promise<void> =>
    mapMaybePromise(find(request.namespace), (namespace) => {
      if (namespace === undefined)
        throw errors.notFound({ group: '', resource: 'namespaces' }, request.namespace);
      const text = getMember(namespace.metadata?.annotations ?? {}, ANNOTATION);
      use(typeof text === 'string' ? parse(text) : []);
    });
  const conflicts = (request: AdmissionRequest, wanted: readonly (readonly [string, string])[]): boolean => {
    const own = podSpec(request.object!).nodeSelector ?? {};
    return wanted.some(([key, value]) => getMember(own, key) !== undefined && getMember(own, key) !== value);
  };
  const refuse = (request: AdmissionRequest) =>
    admissionForbidden(request, 'pod node label selector conflicts with its namespace node label selector');
  return {
    name: 'PodNodeSelector',
    handles: onPods('CREATE'),
    admit: (request) =>
      withSelector(request, (wanted) => {
        if (wanted.length === 0) return;
        if (conflicts(request, wanted)) throw refuse(request);
        const spec = podSpec(request.object!);
        const selector = { ...spec.nodeSelector };
        for (const [key, value] of wanted) setMember(selector, key, value);
        spec.nodeSelector = selector;
      }),
    validate: (request) =>
      withSelector(request, (wanted) => {
        if (conflicts(request, wanted)) throw refuse(request);
      }),
  };
}

/** Labels of a selector that names each by its value. */
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
