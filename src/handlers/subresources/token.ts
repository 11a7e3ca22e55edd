import {
  requestToken,
  setTokenRequestDefaults,
  type TokenRequestOptions,
} from '../../authentication/service-account/index.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { admitAction } from '../../operations/admission.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { recordActionOwnership } from '../../operations/ownership.ts';
import type { RequestContext } from '../../request/context.ts';
import { builtinSchema } from '../../resources/object-schema.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody } from '../request/body.ts';
import { parseWriteOptions } from '../request/parameters.ts';
import { sendObject } from '../response/send-object.ts';
import { operationContext, optionsObject } from '../verbs/create.ts';

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** The audit annotation with the id of a token that was issued. */
const ISSUED_CREDENTIAL_ID = 'authentication.kubernetes.io/issued-credential-id';

/** The `jti` claim of the token in an answered TokenRequest. */
function tokenIdOf({ status }: KubernetesObject): string {
  const [, claims = ''] = (status as { readonly token: string }).token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { readonly jti: string }).jti;
}

/** Handles POST of a TokenRequest to a service account: returns a signed token. */
export async function createToken(
  context: RequestContext,
  accounts: ServedResource,
  environment: HandlerEnvironment,
  tokens: TokenRequestOptions,
): Promise<void> {
  if (context.exchange.method !== 'POST') throw errors.methodNotAllowed();
  const options = parseWriteOptions(context, 'CreateOptions');
  const body = await readBody(context, environment.maximumBodyBytes);
  const schema = builtinSchema(context.scheme.types, KIND.group, KIND.version, KIND.kind)!;
  const expected = { ...KIND, types: context.scheme.types, schema, setDefaults: setTokenRequestDefaults };
  const decoded = await decodeObject(context, expected, body, options.fieldValidation);
  setTokenRequestDefaults(decoded);
  checkNamespace(decoded, context.info.namespace);
  const operation = operationContext(context, accounts, environment, options);
  await recordActionOwnership(operation, KIND, expected.schema, decoded);
  const { object: request, validate } = await admitAction(
    operation,
    KIND,
    decoded,
    optionsObject('CreateOptions', options),
  );
  const { stored, row } = accounts;
  const { namespace, name } = context.info;
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(namespace, name));
  if (record === undefined) throw errors.notFound(row, name);
  const answer = await requestToken(stored.decode(record), request, tokens, {
    has: context.scheme.has,
    isOn: environment.operations.isOn,
    validate,
    warn: (message) => {
      context.warnings.add(message);
    },
    annotate: (name, value) => {
      context.annotations.set(name, value);
    },
  });
  context.annotations.set(ISSUED_CREDENTIAL_ID, `JTI=${tokenIdOf(answer)}`);
  await sendObject(context, 201, expected.group, expected.version, expected.kind, answer);
}
