import type { PolicyObserver } from '../../admission/policy/denials.ts';
import type { ParameterKind } from '../../admission/policy/objects.ts';
import type { PolicyPlugin } from '../../admission/policy/policy-plugin.ts';
import { validatingAdmissionPolicy } from '../../admission/policy/validating-plugin.ts';
import { fromPlain } from '../../codec/typed.ts';
import { builtinResourcesOf } from '../../kinds/builtin-resources.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import {
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  parseApiVersion,
} from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import { schemeOf } from '../../model/scheme.ts';
import { createLogger } from '../../observability/log.ts';
import { LoopScheduler } from '../../steps/loop-scheduler.ts';

const ADMISSION = 'admissionregistration.k8s.io';

/** The resource of an object, and whether it is in a namespace. */
export interface FoundResource {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** What a server would know, from the objects in files. */
export class OfflineCluster {
  readonly policies: ValidatingAdmissionPolicy[] = [];
  readonly #bindings: ValidatingAdmissionPolicyBinding[] = [];
  readonly #objects: KubernetesObject[] = [];
  readonly #definitions: CustomResourceDefinition[] = [];

  /** @throws DecodeError when a policy or binding has values of wrong types */
  constructor(objects: readonly KubernetesObject[]) {
    for (const object of objects) {
      const { kind } = object;
      if (kind === 'ValidatingAdmissionPolicy') this.policies.push(typed(kind, object));
      else if (kind === 'ValidatingAdmissionPolicyBinding') this.#bindings.push(typed(kind, object));
      else this.#objects.push(object);
      if (kind === 'CustomResourceDefinition')
        this.#definitions.push(object as unknown as CustomResourceDefinition);
    }
  }

  /** The plugin with the policies in force. A policy without bindings is bound with the action Deny. */
  async plugin(observer: PolicyObserver): Promise<PolicyPlugin> {
    const bound = new Set(this.#bindings.map(({ spec }) => spec?.policyName));
    const implied = this.policies
      .filter(({ metadata }) => !bound.has(metadata?.name))
      .map((policy) => impliedBinding(policy));
    const plugin = validatingAdmissionPolicy({
      observer,
      namespace: (name) => this.#namespace(name),
      parameters: { find: (apiVersion, kind) => this.#parameterKind(apiVersion, kind) },
      authorizer: {
        name: 'offline',
        authorize: () => ({
          decision: 'no-opinion',
          reason: '',
          error: new Error('the authorizer is not available here'),
        }),
      },
      has: schemeOf().has,
      equivalents: {
        generation: 0,
        of: (resource) => [
          { resource, kind: { group: resource.group, version: resource.version, kind: '' } },
        ],
        versionsOf: () => [],
      },
      turns: new LoopScheduler().own,
      logger: createLogger({ format: 'text', verbosity: 0 }),
      objects: {
        policies: () => this.policies,
        bindings: () => [...this.#bindings, ...implied],
        follow: async () => () => undefined,
      },
    });
    await plugin.start();
    return plugin;
  }

  /** The resource of an object: built-in, defined in a file, or guessed from the kind. */
  resourceOf({ apiVersion = '', kind = '', metadata }: KubernetesObject): FoundResource {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
    const isSame = (row: GroupVersionKind): boolean =>
      row.group === group && row.version === version && row.kind === kind;
    const known = builtinResourcesOf(schemeOf()).rows.find((row) => isSame(row) && row.storage !== undefined);
    const defined = this.#definitions.find(
      ({ spec }) => spec?.group === group && spec.names?.kind === kind,
    )?.spec;
    return {
      kind: { group, version, kind },
      resource: { group, version, resource: known?.resource ?? defined?.names?.plural ?? pluralOf(kind) },
      namespaced:
        known?.namespaced ??
        (defined === undefined ? metadata?.namespace !== undefined : defined.scope === 'Namespaced'),
    };
  }

  #namespace(name: string): KubernetesObject {
    const given = this.#objects.find(
      ({ kind, apiVersion, metadata }) =>
        kind === 'Namespace' && apiVersion === 'v1' && metadata?.name === name,
    );
    return given ?? { metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } };
  }

  #parameterKind(apiVersion: string, kind: string): ParameterKind | undefined {
    const found = this.#objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind);
    const { namespaced } = this.resourceOf(found[0] ?? { apiVersion, kind });
    const isIn = ({ metadata }: KubernetesObject, namespace: string): boolean =>
      !namespaced || (metadata?.namespace ?? 'default') === namespace;
    return {
      namespaced,
      get: (namespace, name) => found.find((one) => one.metadata?.name === name && isIn(one, namespace)),
      list: (namespace, selector) =>
        found.filter((one) => isIn(one, namespace) && labelSelectorMatches(selector, one.metadata?.labels)),
    };
  }
}

const typed = <Kind>(kind: string, object: KubernetesObject): Kind =>
  fromPlain(internalTypes.ofKind(ADMISSION, 'v1', kind)!, object).value as Kind;

function impliedBinding({ metadata, spec }: ValidatingAdmissionPolicy): ValidatingAdmissionPolicyBinding {
  const paramRef = spec?.paramKind && { selector: {}, parameterNotFoundAction: 'Deny' };
  return {
    metadata: { name: '(none)' },
    spec: { policyName: metadata?.name, validationActions: ['Deny'], paramRef },
  };
}

/** The plural that the reference guesses for a kind that it does not know. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
