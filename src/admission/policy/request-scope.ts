import { type AuthorizationSource, type Value, valueOfJson } from '../../cel/index.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { AdmissionMatchMetrics } from '../../observability/metrics-admission.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import { errors } from '../../status/errors.ts';
import { type Steps, waitFor } from '../../steps/steps.ts';
import { CostTurns } from '../../steps/turns.ts';
import { processClock } from '../../time/clock.ts';
import { authorizationSource } from '../expressions/authorization.ts';
import { type MatchedVersion, namespaceObject, requestObject } from '../expressions/request-object.ts';
import { RequestValues } from '../expressions/values.ts';
import type { AdmissionListers } from '../listers.ts';
import type { MatchedVersion as RuleMatch } from '../matching/match-index.ts';
import { requestNamespace } from '../matching/rules.ts';
import { RequestLabels } from '../matching/selectors.ts';
import type { ParameterKind, ParameterKinds } from './objects.ts';
import { type BindingProblem, parametersOf } from './parameters.ts';
import type { BoundPolicy, PolicyHook, Selectors } from './source.ts';

/** What policies need besides the request. */
export interface PolicyPorts {
  readonly namespace: AdmissionListers['namespace'];
  readonly parameters: ParameterKinds;
  readonly authorizer: Authorizer;
  readonly has: RuleContext['has'];
  /** Undefined outside of a server. */
  readonly metrics?: AdmissionMatchMetrics;
}

/** What the expressions of one policy see of a request. */
export interface SeenRequest {
  readonly values: RequestValues;
  /** For match conditions: `request` has the resource of the request, not the matched one. */
  readonly conditionValues: RequestValues;
}

const AUTHORIZATION = {};
const NAMESPACES = { group: '', resource: 'namespaces' };

/** One request as the policies see it: what they share is made once. */
export class RequestScope {
  readonly request: AdmissionRequest;
  readonly metrics: PolicyPorts['metrics'];
  readonly has: PolicyPorts['has'];
  readonly turns: CostTurns;
  readonly #ports: PolicyPorts;
  readonly #labels: RequestLabels;
  readonly #values = new Map<string, RequestValues>();
  #namespace: KubernetesObject | undefined;
  #namespaceJson: object | undefined;
  #isNamespaceKnown = false;

  constructor(request: AdmissionRequest, ports: PolicyPorts) {
    this.request = request;
    this.metrics = ports.metrics;
    this.has = ports.has;
    this.turns = new CostTurns(request.turns);
    this.#ports = ports;
    this.#labels = new RequestLabels(request, ports.namespace);
  }

  readonly expired = (): boolean => processClock.monotonic() > this.request.deadline;

  /** Says that the object was changed: {@link see} reads it again. */
  objectChanged(): void {
    this.#values.clear();
  }

  /** Whether the selectors of a policy or binding match. @throws ApiError when the namespace is absent */
  *selects({ namespaces, objects }: Selectors): Steps<boolean> {
    const isInside = this.#labels.matchesNamespace(namespaces);
    return (
      (isInside instanceof Promise ? yield* waitFor(isInside) : isInside) &&
      this.#labels.matchesObject(objects)
    );
  }

  /** The served kind of a policy's parameters, or the reason why the policy cannot be evaluated. */
  parameterKind({ paramKind }: PolicyHook<unknown>): ParameterKind | BindingProblem | undefined {
    if (paramKind === undefined) return undefined;
    const { apiVersion = '', kind = '' } = paramKind;
    const found = this.#ports.parameters.find(apiVersion, kind);
    if (found !== undefined) return found;
    const slash = apiVersion.includes('/') ? '' : '/';
    return {
      problem: `failed to find resource referenced by paramKind: '${slash}${apiVersion}, Kind=${kind}'`,
    };
  }

  /** The parameters of a binding as values; undefined for a policy without `paramKind`. */
  *parameters(
    { paramKind }: PolicyHook<unknown>,
    kind: ParameterKind | undefined,
    { paramRef }: BoundPolicy,
  ): Steps<readonly (Value | undefined)[] | BindingProblem> {
    if (paramKind === undefined) return [undefined];
    const found = yield* waitFor(parametersOf(paramKind, kind, paramRef, requestNamespace(this.request)));
    return 'problem' in found ? found : found.map(valueOfJson);
  }

  /**
   * The values in the version that a policy matched.
   * @throws ApiError when a conversion fails, or the namespace is absent
   */
  *see(match: RuleMatch): Steps<SeenRequest> {
    const { request } = this;
    if (!this.#isNamespaceKnown) yield* this.#readNamespace();
    const kind = match.kind ?? request.kind;
    const values = yield* this.#valuesIn({ kind, resource: match.resource });
    const conditionValues =
      match.kind === undefined ? values : yield* this.#valuesIn({ kind, resource: request.resource });
    return { values, conditionValues };
  }

  *#valuesIn(version: MatchedVersion): Steps<RequestValues> {
    const { request } = this;
    const apiVersion = apiVersionOf(version.kind.group, version.kind.version);
    const { group, version: resourceVersion } = version.resource;
    const key = `${apiVersion} ${group}/${resourceVersion}`;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const converted = request.inVersion(apiVersion);
    const objects = converted instanceof Promise ? yield* waitFor(converted) : converted;
    const { resource, subresource, name } = request;
    const values = new RequestValues({
      object: () => objects.object?.plain(),
      oldObject: () => objects.oldObject?.plain(),
      request: () => requestObject(request, version),
      namespaceObject: () => this.#visibleNamespace(),
      authorization: this.#authorization(),
      requestResource: {
        group: resource.group,
        resource: resource.resource,
        subresource,
        namespace: requestNamespace(request),
        name,
      },
    });
    this.#values.set(key, values);
    return values;
  }

  #authorization(): AuthorizationSource {
    const { memory, user } = this.request;
    return memory.get(AUTHORIZATION, () => authorizationSource(this.#ports.authorizer, user));
  }

  *#readNamespace(): Steps<void> {
    const { namespace, kind } = this.request;
    if (namespace !== '' && !(kind.group === '' && kind.kind === 'Namespace')) {
      this.#namespace = yield* waitFor(this.#ports.namespace(namespace));
      if (this.#namespace === undefined) throw errors.notFound(NAMESPACES, namespace);
    }
    this.#isNamespaceKnown = true;
  }

  #visibleNamespace(): object | undefined {
    if (this.#namespace !== undefined) this.#namespaceJson ??= namespaceObject(this.#namespace);
    return this.#namespaceJson;
  }
}
