import { quote } from '../../errors/quote.ts';
import type { Container, PodSpec, ServiceAccount } from '../../model/generated/core-v1.ts';
import { getMember } from '../../model/object.ts';

const ENFORCE_ANNOTATION = 'kubernetes.io/enforce-mountable-secrets';

/**
 * Finds a reference to a secret that the service account does not list, when the account enforces mountable
 * secrets.
 * @returns undefined when the account does not enforce them or the pod complies
 */
export function findForbiddenSecret(spec: PodSpec, account: ServiceAccount): string | undefined {
  if (getMember(account.metadata?.annotations ?? {}, ENFORCE_ANNOTATION) !== 'true') return undefined;
  const { secrets = [], imagePullSecrets = [] } = account;
  const listed = new Set(secrets.map(({ name }) => name));
  const pulled = new Set(imagePullSecrets.map(({ name }) => name));
  const because = (kind: string) =>
    `is not allowed because service account ${account.metadata?.name} does not reference that ${kind}`;
  for (const [place, secretName] of references(spec))
    if (!listed.has(secretName))
      return `${place} secret.secretName=${quote(secretName)} ${because('secret')}`;
  for (const [index, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pulled.has(name))
      return `imagePullSecrets[${index}].name=${quote(name ?? '')} ${because('imagePullSecret')}`;
  }
  return undefined;
}

function* references(spec: PodSpec): Generator<readonly [place: string, secretName: string]> {
  for (const volume of spec.volumes ?? []) {
    const { secretName } = volume.secret ?? {};
    if (secretName) yield ['volume with', secretName];
  }
  for (const container of spec.initContainers ?? [])
    yield* environmentReferences('init container', container);
  for (const container of spec.containers ?? []) yield* environmentReferences('container', container);
}

function* environmentReferences(
  kind: string,
  { name, env = [], envFrom = [] }: Container,
): Generator<readonly [place: string, secretName: string]> {
  for (const variable of env) {
    const secretName = variable.valueFrom?.secretKeyRef?.name;
    if (secretName) yield [`${kind} ${name} with envVar ${variable.name} referencing`, secretName];
  }
  for (const { secretRef } of envFrom)
    if (secretRef?.name) yield [`${kind} ${name} with envFrom referencing`, secretRef.name];
}
