import type * as meta from '../../model/generated/meta-v1.ts';
import {
  EVERYTHING,
  type LabelOperator,
  type LabelSelector,
  selectorOf,
} from '../../model/label-selector.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { AdmissionListers } from '../listers.ts';
import { isNamespaces, requestNamespace } from './rules.ts';

type Labels = Readonly<Record<string, string>>;

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

const NOTHING: LabelSelector = {
  requirements: [{ key: '', operator: '!', values: [] }],
  matches: () => false,
};

/** Compiles a stored selector; an absent or empty one matches everything, one that is invalid nothing. */
export function compileSelector(selector: meta.LabelSelector | undefined): LabelSelector {
  const requirements = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'in' as LabelOperator,
    values: [value],
  }));
  for (const { key = '', operator = '', values = [] } of selector?.matchExpressions ?? []) {
    const known = OPERATORS.get(operator);
    if (known === undefined) return NOTHING;
    requirements.push({ key, operator: known, values: [...values] });
  }
  return requirements.length === 0 ? EVERYTHING : selectorOf(requirements);
}

/** Whether a selector matches everything: it needs no labels. */
export const isEverything = (selector: LabelSelector): boolean => selector.requirements.length === 0;

const NO_LABELS: Labels = {};

/** The labels that selectors are compared with, read once per request. */
export class RequestLabels {
  readonly #request: AdmissionRequest;
  readonly #namespace: AdmissionListers['namespace'];
  #namespaceLabels: MaybePromise<Labels> | undefined;

  constructor(request: AdmissionRequest, namespace: AdmissionListers['namespace']) {
    this.#request = request;
    this.#namespace = namespace;
  }

  /**
   * Whether a namespace selector matches the request's namespace: a namespace itself by its own labels, other
   * cluster-scoped objects always.
   * @throws ApiError 404 when the namespace does not exist
   */
  matchesNamespace(selector: LabelSelector): MaybePromise<boolean> {
    if (isEverything(selector)) return true;
    const request = this.#request;
    const name = requestNamespace(request);
    if (name === '' && !isNamespaces(request.resource)) return true;
    if (
      isNamespaces(request.resource) &&
      request.subresource === '' &&
      (request.operation === 'CREATE' || request.operation === 'UPDATE')
    )
      // The object may have changed since the previous selector.
      return selector.matches(request.object?.metadata?.labels);
    this.#namespaceLabels ??= labelsOf(this.#namespace(name), name);
    const labels = this.#namespaceLabels;
    return labels instanceof Promise
      ? labels.then((found) => selector.matches(found))
      : selector.matches(labels);
  }

  /** Whether an object selector matches the new or the old object. Options of connections have no labels. */
  matchesObject(selector: LabelSelector): boolean {
    if (isEverything(selector)) return true;
    const { operation, object, oldObject } = this.#request;
    if (operation === 'CONNECT') return false;
    return matchesLabels(selector, object) || matchesLabels(selector, oldObject);
  }
}

const matchesLabels = (selector: LabelSelector, object: KubernetesObject | undefined): boolean =>
  object !== undefined && selector.matches(object.metadata?.labels ?? NO_LABELS);

function labelsOf(found: MaybePromise<KubernetesObject | undefined>, name: string): MaybePromise<Labels> {
  const read = (namespace: KubernetesObject | undefined): Labels => {
    if (namespace === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, name);
    return namespace.metadata?.labels ?? NO_LABELS;
  };
  return found instanceof Promise ? found.then(read) : read(found);
}
