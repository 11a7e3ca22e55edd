import type { BearerAuthenticator } from '../authentication/bearer.ts';
import { reviewSelfSubject, reviewToken } from '../authentication/reviews.ts';
import type { AccessReviewKind } from '../authorization/review-validation.ts';
import { reviewAccess, reviewRules } from '../authorization/reviews.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { decodeObject, readBody } from '../handlers/request/body.ts';
import { parseWriteOptions } from '../handlers/request/parameters.ts';
import {
  encodeJsonDocument,
  negotiateRequest,
  send,
  sendPlain,
  servedEncodings,
} from '../handlers/response/answer.ts';
import { sendObject } from '../handlers/response/send-object.ts';
import { plainTableJson } from '../handlers/response/table-view.ts';
import { bindPod } from '../handlers/subresources/binding.ts';
import { managerOf, optionsObject } from '../handlers/verbs/create.ts';
import { checkFieldLabels, parseListOptions } from '../handlers/verbs/list-options.ts';
import type { KubernetesObject } from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import { admitAction } from '../operations/admission.ts';
import { checkNamespace, wipeServerMetadata } from '../operations/object-metadata.ts';
import { deduplicateOwnerReferences } from '../operations/owner-references.ts';
import { recordActionOwnership } from '../operations/ownership.ts';
import { builtinSchema } from '../registry/object-schema.ts';
import type { ResourceRow } from '../registry/resource-set.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { ApiError, errors } from '../status/index.ts';
import type { MaybePromise } from '../storage/storage.ts';

export type ResourceHandler = (context: RequestContext, row: ResourceRow) => Promise<void>;

export interface VirtualOptions {
  readonly environment: HandlerEnvironment;
  readonly authorizer: Authorizer;
  readonly bearer: BearerAuthenticator;
  readonly audiences: readonly string[];
  /** Whether reviews may have selectors (gate AuthorizeWithSelectors). */
  readonly selectors: boolean;
  /** Checks the health of the store. */
  storageHealth(): MaybePromise<Error | undefined>;
}

/** Handlers of kinds without storage: reviews and component statuses. */
export function virtualResources({
  environment,
  authorizer,
  bearer,
  audiences,
  selectors,
  storageHealth,
}: VirtualOptions): Map<string, ResourceHandler> {
  const review =
    (
      answer: (
        object: KubernetesObject,
        context: RequestContext,
        row: ResourceRow,
      ) => KubernetesObject | Promise<KubernetesObject>,
    ): ResourceHandler =>
    async (context, row) => {
      if (context.info.pathName !== '') throw errors.pathNotFound();
      if (context.exchange.method !== 'POST') throw errors.methodNotAllowed();
      const options = parseWriteOptions(context, 'CreateOptions');
      const body = await readBody(context, environment.maximumBodyBytes);
      const schema = builtinSchema(row.group, row.version, row.kind)!;
      const object = await decodeObject(
        context,
        { group: row.group, version: row.version, kind: row.kind, schema },
        body,
        options.fieldValidation,
      );
      const operation = {
        request: context,
        environment: environment.operations,
        namespace: row.namespaced ? context.info.namespace : '',
        dryRun: options.dryRun,
      };
      wipeServerMetadata(object);
      checkNamespace(object, operation.namespace);
      deduplicateOwnerReferences(operation, object, false);
      const kind = { group: row.group, version: row.version, kind: row.kind };
      const fieldManager = managerOf(context, options.fieldManager);
      await recordActionOwnership({ ...operation, fieldManager }, kind, schema, object);
      const admitted = await admitAction(operation, kind, object, optionsObject('CreateOptions', options));
      await admitted.validate();
      const answered = await answer(admitted.object, context, row);
      await sendObject(context, 201, row.group, row.version, row.kind, answered);
    };
  const access = (kind: AccessReviewKind) =>
    review((object, context) =>
      reviewAccess(kind, selectors ? object : withoutSelectors(object), context.user, authorizer),
    );
  return new Map<string, ResourceHandler>([
    ['authorization.k8s.io/selfsubjectaccessreviews', access('SelfSubjectAccessReview')],
    ['authorization.k8s.io/subjectaccessreviews', access('SubjectAccessReview')],
    ['authorization.k8s.io/localsubjectaccessreviews', access('LocalSubjectAccessReview')],
    [
      'authorization.k8s.io/selfsubjectrulesreviews',
      review((object, context) => reviewRules(object, context.user, authorizer)),
    ],
    [
      'authentication.k8s.io/selfsubjectreviews',
      review((object, context) => reviewSelfSubject(object, context.user, formatTime(environment.now()))),
    ],
    ['authentication.k8s.io/tokenreviews', review((object) => reviewToken(object, bearer, audiences))],
    [
      '/bindings',
      async (context) => {
        if (context.info.pathName !== '') throw errors.pathNotFound();
        await bindPod(context, environment.registry.internal('', 'pods'), environment);
      },
    ],
    ['/componentstatuses', componentStatuses(environment, storageHealth)],
  ]);
}

/** A review without the fields that a feature gate turns off. */
function withoutSelectors(review: KubernetesObject): KubernetesObject {
  const spec = review.spec as { readonly resourceAttributes?: object } | undefined;
  if (spec?.resourceAttributes === undefined) return review;
  const {
    fieldSelector: _field,
    labelSelector: _label,
    ...resourceAttributes
  } = spec.resourceAttributes as Record<string, unknown>;
  return { ...review, spec: { ...spec, resourceAttributes } };
}

/** The selectors of a list of component statuses, which have names only. */
function statusSelection(
  { query }: RequestContext,
  row: ResourceRow,
  { features }: HandlerEnvironment,
): (name: string) => boolean {
  const options = parseListOptions(query, false, features.watchList);
  checkFieldLabels(options, row);
  const { labelSelector, fieldSelector } = options;
  return (name) =>
    labelSelector.matches(undefined) &&
    fieldSelector.matches((field) => (field === 'metadata.name' ? name : ''));
}

/**
 * Serves the deprecated component statuses: storage is checked, other components are not part of this server.
 */
function componentStatuses(
  environment: HandlerEnvironment,
  storageHealth: () => MaybePromise<Error | undefined>,
): ResourceHandler {
  const { registry } = environment;
  const item = (name: string, status: 'True' | 'False', details: { message?: string; error?: string }) => ({
    metadata: { name, creationTimestamp: null },
    conditions: [{ type: 'Healthy', status, ...details }],
  });
  // As the reference has them: a failed HTTP probe is a message, a failed check of the storage an error.
  const absent = (name: string, port: number) =>
    item(name, 'False', {
      message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
  const storage = (problem: Error | undefined) =>
    problem === undefined
      ? item('etcd-0', 'True', { message: 'ok' })
      : item('etcd-0', 'False', { error: problem.message });
  const all = async () => [
    absent('scheduler', 10259),
    absent('controller-manager', 10257),
    storage(await storageHealth()),
  ];
  return async (context, row) => {
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    if (context.info.verb === 'watch')
      throw errors.methodNotSupported({ group: '', resource: 'componentstatuses' }, 'watch');
    const negotiated = negotiateRequest(context, {
      encodings: servedEncodings(context),
      projections: ['table'],
    });
    const { pathName } = context.info;
    const selects = pathName === '' ? statusSelection(context, row, environment) : undefined;
    const statuses = (await all()).filter(
      ({ metadata }) => selects?.(metadata.name) ?? metadata.name === pathName,
    );
    if (pathName !== '' && statuses.length === 0)
      throw new ApiError(500, '', `Component not found: ${pathName}`, undefined);
    if (negotiated.projection === 'table')
      return send(
        context,
        200,
        negotiated.contentType,
        await encodeJsonDocument(
          context.turns,
          plainTableJson(registry.tableOf(row), statuses, negotiated.metaVersion, Date.now()),
          negotiated,
        ),
      );
    if (pathName === '')
      return sendPlain(context, 200, negotiated, '', 'v1', 'ComponentStatusList', {
        kind: 'ComponentStatusList',
        apiVersion: 'v1',
        metadata: {},
        items: statuses,
      });
    return sendPlain(context, 200, negotiated, '', 'v1', 'ComponentStatus', {
      kind: 'ComponentStatus',
      apiVersion: 'v1',
      ...statuses[0],
    });
  };
}
