import { labelValue, qualifiedName } from '../../model/name-syntax.ts';
import { getMember, setMember } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { formatFieldError, invalid } from '../../status/field-error.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { PluginConfiguration } from '../plugin-configuration.ts';
import { pluginError } from '../plugin-error.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods, podSpec } from './pod.ts';

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';
const CLUSTER_DEFAULT = 'clusterDefaultNodeSelector';

type Selector = ReadonlyMap<string, string>;

/**
 * Merges a node selector into new pods: that of the namespace's annotation, or else the default of the
 * cluster. The configured selector of a namespace is the only one that its pods may have.
 */
export function podNodeSelector({
  namespace: find,
  nodeSelectors,
}: Pick<AdmissionListers, 'namespace'> & Pick<PluginConfiguration, 'nodeSelectors'>): BuiltinPlugin {
  const withSelector = (request: AdmissionRequest, use: (required: Selector) => void): void | Promise<void> =>
    mapMaybePromise(find(request.namespace), (namespace) => {
      if (namespace === undefined) throw errors.internal(`namespace ${request.namespace} does not exist`);
      const text = getMember(namespace.metadata?.annotations ?? {}, ANNOTATION);
      use(parse(typeof text === 'string' ? text : (nodeSelectors.get(CLUSTER_DEFAULT) ?? '')));
    });
  const refuseConflicts = (request: AdmissionRequest, required: Selector): void => {
    const selector = podSpec(request.object!).nodeSelector ?? {};
    for (const [key, value] of required)
      if (getMember(selector, key) !== undefined && getMember(selector, key) !== value)
        throw admissionForbidden(
          request,
          'pod node label selector conflicts with its namespace node label selector',
        );
  };
  const check = (request: AdmissionRequest, required: Selector): void => {
    refuseConflicts(request, required);
    const allowed = parse(nodeSelectors.get(request.namespace) ?? '');
    if (allowed.size === 0) return;
    for (const [key, value] of Object.entries(podSpec(request.object!).nodeSelector ?? {}))
      if (allowed.get(key) !== value)
        throw admissionForbidden(
          request,
          'pod node label selector labels conflict with its namespace whitelist',
        );
  };
  return {
    handles: onPods('CREATE'),
    admit: (request) =>
      withSelector(request, (required) => {
        refuseConflicts(request, required);
        if (required.size > 0) {
          const spec = podSpec(request.object!);
          const selector = { ...spec.nodeSelector };
          for (const [key, value] of required) setMember(selector, key, value);
          spec.nodeSelector = selector;
        }
        check(request, required);
      }),
    validate: (request) => withSelector(request, (required) => check(request, required)),
  };
}

/**
 * Parses an equality-based selector: `key=value,…`.
 * @throws ApiError 500 for another syntax
 */
function parse(text: string): Selector {
  const selector = new Map<string, string>();
  if (text === '') return selector;
  for (const requirement of text.split(',')) {
    const parts = requirement.split('=');
    if (parts.length !== 2) throw pluginError(`invalid selector: [${parts.join(' ')}]`);
    const [key, value] = [parts[0]!.trim(), parts[1]!.trim()];
    refuse('<nil>', key, qualifiedName(key));
    refuse(`[${key}]`, value, labelValue(value));
    selector.set(key, value);
  }
  return selector;
}

function refuse(field: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw pluginError(formatFieldError(invalid(field, value, problems.join('; '))));
}
