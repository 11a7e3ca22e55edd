import { quote } from '../../errors/quote.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { update } from '../../operations/update.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import { pauseIfLarge } from '../../steps/run.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { expectedKind, operationContext, optionsObject } from './create.ts';
import { objectOffer, sendRecord, viewContext } from './get.ts';

/** Handles PUT of an object or of a subresource with the form of the object. */
export async function updateObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  const body = await readBody(context, environment.maximumBodyBytes);
  const options = parseWriteOptions(context, 'UpdateOptions');
  const object = await decodeObject(context, expectedKind(resource), body, options.fieldValidation);
  const { name, subresource } = context.info;
  checkNamespace(object, context.info.namespace);
  checkName(object.metadata?.name ?? '', name);
  let attempt = 0;
  const result = await update(operationContext(context, resource, environment, options), {
    name,
    unconditional: false,
    options: optionsObject('UpdateOptions', options),
    createsWhenMissing:
      (subresource === '' || subresource === 'status') && resource.strategy.createsOnUpdate === true,
    authorizeCreate: () => authorizeCreate(context, environment),
    replaces: true,
    // An attempt modifies the object; an attempt after a write conflict starts from the body again.
    transform: async () => {
      attempt += 1;
      const next =
        attempt === 1
          ? object
          : await decodeObject(context, expectedKind(resource), body, options.fieldValidation);
      await pauseIfLarge(context);
      return resource.toWorking(next);
    },
  });
  await pauseIfLarge(context);
  await sendRecord(context, view, result.record, result.created ? 201 : 200);
}

/** @throws ApiError 400 */
export function checkName(given: string, name: string): void {
  if (given === '')
    throw errors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== name)
    throw errors.badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** Checks the create permission for an update that creates. @throws ApiError 403 */
export async function authorizeCreate(
  { attributes, user }: RequestContext,
  environment: HandlerEnvironment,
): Promise<void> {
  const createAttributes = { ...attributes!, verb: 'create' };
  const { decision, reason } = await environment.authorize(createAttributes);
  if (decision === 'allow') return;
  throw errors.forbidden(
    createAttributes,
    createAttributes.name,
    `User ${quote(user.name)} cannot create resource ${quote(createAttributes.resource)} in API group ${quote(createAttributes.group)}${createAttributes.namespace === '' ? ' at the cluster scope' : ` in the namespace ${quote(createAttributes.namespace)}`}${reason === '' ? '' : `: ${reason}`}`,
  );
}
