import type { BearerAuthenticator } from '../authentication/bearer.ts';
import { reviewSelfSubject, reviewToken } from '../authentication/reviews.ts';
import type { AccessReviewKind } from '../authorization/review-validation.ts';
import { reviewAccess, reviewRules } from '../authorization/reviews.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { decodeObject, readBody } from '../handlers/request/body.ts';
import { parseWriteOptions } from '../handlers/request/parameters.ts';
import { sendObject } from '../handlers/response/send-object.ts';
import { bindPod } from '../handlers/subresources/binding.ts';
import { managerOf, optionsObject } from '../handlers/verbs/create.ts';
import type { KubernetesObject } from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import { admitAction } from '../operations/admission.ts';
import { checkNamespace, wipeServerMetadata } from '../operations/object-metadata.ts';
import { deduplicateOwnerReferences } from '../operations/owner-references.ts';
import { recordActionOwnership } from '../operations/ownership.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { builtinSchema } from '../resources/object-schema.ts';
import type { ResourceRow } from '../resources/resource-set.ts';
import { errors } from '../status/index.ts';
import { runInTurns } from '../steps/run.ts';
import type { MaybePromise } from '../storage/storage.ts';
import { componentStatuses } from './component-statuses.ts';
import type { ResourceHandler } from './resource-handler.ts';

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
      context.isHandled = true;
      const options = parseWriteOptions(context, 'CreateOptions');
      const body = await readBody(context, environment.maximumBodyBytes);
      const schema = builtinSchema(context.scheme.types, row.group, row.version, row.kind)!;
      const object = await decodeObject(
        context,
        { group: row.group, version: row.version, kind: row.kind, schema, types: context.scheme.types },
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
      runInTurns(
        context.turns,
        reviewAccess(
          kind,
          selectors ? object : withoutSelectors(object),
          context.user,
          authorizer,
          context.scheme,
        ),
      ),
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
        context.isHandled = true;
        await bindPod(context, environment.resources.internal('', 'pods'), environment);
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
