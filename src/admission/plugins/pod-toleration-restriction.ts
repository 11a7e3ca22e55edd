import { parseJson } from '../../codec/json-parse.ts';
import { fromPlain } from '../../codec/typed.ts';
import type { Pod, PodSpec, Toleration } from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { getMember, type KubernetesObject } from '../../model/object.ts';
import { isBestEffort } from '../../quota/pods.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import type { AdmissionListers } from '../listers.ts';
import type { PluginConfiguration } from '../plugin-configuration.ts';
import { pluginError } from '../plugin-error.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { areCovered, mergeTolerations } from './merged-tolerations.ts';
import { onPods, podSpec } from './pod.ts';

const ADDED = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY_PRESSURE: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * Adds the tolerations of the namespace's annotation, or else those of the configuration, to new pods, and
 * rejects pods with other tolerations than the allowed ones.
 */
export function podTolerationRestriction({
  namespace: find,
  tolerations: settings,
}: Pick<AdmissionListers, 'namespace'> & Pick<PluginConfiguration, 'tolerations'>): BuiltinPlugin {
  const withNamespace = (
    request: AdmissionRequest,
    use: (namespace: KubernetesObject) => void,
  ): void | Promise<void> =>
    mapMaybePromise(find(request.namespace), (namespace) => {
      if (namespace === undefined)
        throw errors.notFound({ group: '', resource: 'namespaces' }, request.namespace);
      use(namespace);
    });
  const check = ({ object }: AdmissionRequest, namespace: KubernetesObject): void => {
    const { tolerations = [] } = podSpec(object!);
    if (tolerations.length === 0) return;
    const own = annotated(namespace, ALLOWED);
    const allowed = own ?? settings.allowed;
    if (allowed.length > 0 && !areCovered(tolerations, allowed))
      throw pluginError(
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${own === undefined ? 'cluster' : 'namespace'} whitelist`,
      );
  };
  return {
    handles: onPods('CREATE', 'UPDATE'),
    admit: (request) =>
      withNamespace(request, (namespace) => {
        const pod = request.object as Pod;
        const added = [
          ...(request.operation === 'CREATE' ? (annotated(namespace, ADDED) ?? settings.added) : []),
          ...(isBestEffort(pod) ? [] : [MEMORY_PRESSURE]),
        ];
        const spec = podSpec(request.object!);
        if (added.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], added);
        check(request, namespace);
      }),
    validate: (request) => withNamespace(request, (namespace) => check(request, namespace)),
  };
}

/**
 * Reads the tolerations in an annotation; undefined without annotation.
 * @throws ApiError 500 for another value than a JSON list of tolerations
 */
function annotated({ metadata }: KubernetesObject, key: string): readonly Toleration[] | undefined {
  const text = getMember(metadata?.annotations ?? {}, key);
  if (typeof text !== 'string') return undefined;
  if (text === '') return [];
  try {
    const { value: tolerations } = parseJson(Buffer.from(text));
    const { value } = fromPlain(internalTypes.type('core_v1.PodSpec'), { tolerations });
    return (value as PodSpec).tolerations ?? [];
  } catch (error) {
    throw pluginError((error as Error).message);
  }
}
