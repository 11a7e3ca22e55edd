import { applyBinding, validateBinding } from '../../kinds/core/pods/binding.ts';
import type { Binding, Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { formatTime } from '../../model/time.ts';
import { admitAction, NO_FURTHER_ADMISSION } from '../../operations/admission.ts';
import { checkNamespace, checkPathName } from '../../operations/object-metadata.ts';
import { recordInterceptedOwnership, unchangedOwnership } from '../../operations/ownership.ts';
import { update } from '../../operations/update.ts';
import type { RequestContext } from '../../request/context.ts';
import { builtinSchema } from '../../resources/object-schema.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { sendSuccess } from '../response/send-object.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';

const KIND = { group: '', version: 'v1', kind: 'Binding' };

/** Handles POST of a Binding to the collection of bindings or to a pod: assigns the pod to a node, once. */
export async function bindPod(
  context: RequestContext,
  pods: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  if (context.exchange.method !== 'POST') throw errors.methodNotAllowed();
  const options = parseWriteOptions(context, 'CreateOptions');
  const body = await readBody(context, environment.maximumBodyBytes);
  const decoded = await decodeObject(
    context,
    {
      ...KIND,
      types: context.scheme.types,
      schema: builtinSchema(context.scheme.types, '', 'v1', 'Binding')!,
    },
    body,
    options.fieldValidation,
  );
  checkNamespace(decoded, context.info.namespace);
  const operation = operationContext(context, pods, environment, options);
  await recordInterceptedOwnership(operation, KIND, decoded);
  const { object, validate } = await admitAction(
    operation,
    KIND,
    decoded,
    optionsObject('CreateOptions', options),
  );
  const binding = object as Binding;
  const { pathName, resource, namespace } = context.info;
  const given = binding.metadata?.name ?? '';
  const name = resource === 'pods' ? pathName : given;
  if (resource === 'pods' && given !== pathName)
    throw errors.badRequest('name in URL does not match name in Binding object');
  if (name === '') throw errors.badRequest('Name parameter required.');
  checkNamespace(binding, namespace);
  checkPathName(name);
  const problems = validateBinding(binding, context.scheme);
  if (problems.length > 0) throw errors.invalid({ group: '', kind: 'Binding' }, name, problems);
  await validate();
  // Only a binding of the pod's own subresource keeps its uid, as a precondition.
  const uid = resource === 'pods' ? binding.metadata?.uid : undefined;
  const version = resource === 'pods' ? (binding.metadata?.resourceVersion ?? '') : '';
  await update(
    {
      ...operation,
      subresource: 'binding',
      environment: {
        ...operation.environment,
        admission: NO_FURTHER_ADMISSION,
        ownership: unchangedOwnership,
      },
    },
    {
      name,
      unconditional: true,
      createsWhenMissing: false,
      transform: (current) => {
        const pod = current as Pod;
        const stored = pod.metadata?.resourceVersion ?? '';
        if (version !== '' && version !== stored)
          throw errors.conflict(
            pods.row,
            name,
            `StorageError: invalid object, Code: 4, Key: ${pods.stored.key(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${stored}`,
          );
        if (uid === undefined || uid === '' || uid === pod.metadata?.uid)
          applyBinding(pod, binding, formatTime(environment.now()), environment.operations.isOn);
        else pod.metadata = { ...pod.metadata, uid };
        return pod as KubernetesObject;
      },
    },
  );
  await sendSuccess(context, 201);
}
