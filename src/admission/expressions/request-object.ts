import { toPlain } from '../../codec/typed.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../../model/object.ts';
import { apiVersionOf } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { requestNamespace } from '../matching/rules.ts';

/** The version of a request's kind and resource that a rule matched. */
export interface MatchedVersion {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/** The `request` of expressions, and of an AdmissionReview without uid and objects, in wire order. */
export function requestObject(
  request: AdmissionRequest,
  { kind, resource }: MatchedVersion,
): Readonly<Record<string, unknown>> {
  const { subresource, name, operation, dryRun, options, user } = request;
  const namespace = requestNamespace(request);
  return {
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...request.kind },
    requestResource: { ...request.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: user.groups }),
      ...(user.extra.size === 0 ? {} : { extra: Object.fromEntries(user.extra) }),
    },
    dryRun,
    options: options === undefined ? null : optionsObject(options),
  };
}

function optionsObject(options: KubernetesObject): unknown {
  const { kind = '' } = options;
  return toPlain(internalTypes.type(`meta_v1.${kind}`), options, {
    apiVersion: options.apiVersion ?? apiVersionOf('meta.k8s.io', 'v1'),
    kind,
  });
}

/** Metadata of a namespace that expressions do not see. */
const HIDDEN_METADATA = ['ownerReferences', 'managedFields', 'selfLink'];

/** The `namespaceObject` of expressions, as plain JSON. */
export function namespaceObject(namespace: KubernetesObject): object {
  const { metadata, spec, status } = toPlain(internalTypes.type('core_v1.Namespace'), namespace) as {
    readonly metadata?: Record<string, unknown>;
    readonly spec?: object;
    readonly status?: object;
  };
  const visible = { ...metadata };
  for (const name of HIDDEN_METADATA) delete visible[name];
  return { metadata: visible, spec: spec ?? {}, status: status ?? {} };
}
