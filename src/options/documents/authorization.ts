import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError, withFile } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import type {
  AuthorizationConfiguration,
  WebhookConfiguration,
} from '../../model/generated/apiserverconfig-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  formatFieldError,
  invalid,
  notSupported,
  notSupportedFormatted,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { formatMilliseconds, parseMilliseconds } from '../../time/duration.ts';
import { AUTHORIZATION_MODES, type AuthorizationMode } from '../validation/authorization.ts';
import { type DocumentKind, readDocument } from './document.ts';

const GROUP = 'apiserver.config.k8s.io';
const KIND: DocumentKind = {
  kind: 'AuthorizationConfiguration',
  versions: Object.fromEntries(
    ['v1', 'v1beta1', 'v1alpha1'].map((version) => [
      `${GROUP}/${version}`,
      () => internalTypes.type(`apiserverconfig_${version}.AuthorizationConfiguration`),
    ]),
  ),
};

/** A webhook authorizer. Times are in milliseconds. */
export interface AuthorizationWebhook {
  readonly timeout: number;
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  /** API version of SubjectAccessReview in the webhook's requests. */
  readonly reviewVersion: string;
  /** The decision if the webhook or its match conditions fail. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** A kubeconfig; undefined for the in-cluster configuration. */
  readonly kubeconfigFile: string | undefined;
  /** Match conditions: expressions that must all be true for a request to be sent. */
  readonly conditions: readonly string[];
}

/** A configured authorizer; authorizers are called in order. */
export interface ConfiguredAuthorizer {
  readonly type: AuthorizationMode;
  readonly name: string;
  readonly webhook?: AuthorizationWebhook;
}

/** Returns the error in the expression of a match condition; undefined if it is valid. */
export type ConditionCheck = (expression: string) => string | undefined;

export const DEFAULT_AUTHORIZED_TTL = 300_000;
export const DEFAULT_UNAUTHORIZED_TTL = 30_000;
const LONGEST_TIMEOUT = 30_000;
const MOST_CONDITIONS = 64;

/**
 * Reads the file of `--authorization-config`.
 * @throws ConfigurationError
 */
export function readAuthorizationFile(file: string, check: ConditionCheck): readonly ConfiguredAuthorizer[] {
  return parseAuthorization(readTextFile(file), check);
}

/**
 * Parses an AuthorizationConfiguration of any version.
 * @throws ConfigurationError with every invalid field
 */
export function parseAuthorization(text: string, check: ConditionCheck): readonly ConfiguredAuthorizer[] {
  let content: AuthorizationConfiguration;
  try {
    ({ content } = readDocument<AuthorizationConfiguration>(text, KIND));
  } catch (error) {
    throw new ConfigurationError(
      `failed to load AuthorizationConfiguration from file: ${(error as Error).message}`,
    );
  }
  const problems = validate(content, check);
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems.map(formatFieldError)));
  const misnamed = content.authorizers!.flatMap(({ type = '', name = '' }) =>
    type === 'Webhook' || name === type.toLowerCase()
      ? []
      : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`],
  );
  if (misnamed.length > 0) throw new ConfigurationError(aggregate(misnamed));
  return content.authorizers!.map(({ type, name, webhook }) => ({
    type: type as AuthorizationMode,
    name: name!,
    ...(webhook === undefined ? {} : { webhook: settled(webhook) }),
  }));
}

/** Zero selects the default time to live. */
const timeToLive = (text: string | undefined, initial: number): number => milliseconds(text) || initial;
const milliseconds = (text: string | undefined): number => (text === undefined ? 0 : parseMilliseconds(text));

function settled(content: WebhookConfiguration): AuthorizationWebhook {
  return {
    timeout: milliseconds(content.timeout),
    authorizedTtl: timeToLive(content.authorizedTTL, DEFAULT_AUTHORIZED_TTL),
    unauthorizedTtl: timeToLive(content.unauthorizedTTL, DEFAULT_UNAUTHORIZED_TTL),
    reviewVersion: content.subjectAccessReviewVersion!,
    failurePolicy: content.failurePolicy as AuthorizationWebhook['failurePolicy'],
    kubeconfigFile: content.connectionInfo?.kubeConfigFile,
    conditions: (content.matchConditions ?? []).map(({ expression = '' }) => expression),
  };
}

function validate({ authorizers = [] }: AuthorizationConfiguration, check: ConditionCheck): FieldError[] {
  if (authorizers.length === 0)
    return [required('authorizers', 'at least one authorization mode must be defined')];
  const known = [...AUTHORIZATION_MODES].sort();
  const types = new Set<string>();
  const names = new Set<string>();
  return authorizers.flatMap((authorizer, index) => {
    const { type = '', name = '', webhook } = authorizer;
    const path = `authorizers[${index}]`;
    if (type === '') return [required(`${path}.type`)];
    if (!(known as readonly string[]).includes(type)) return [notSupported(`${path}.type`, type, known)];
    if (types.has(type) && type !== 'Webhook') return [duplicate(`${path}.type`, type)];
    types.add(type);
    const problems = nameErrors(`${path}.name`, name, names);
    names.add(name);
    if (type !== 'Webhook')
      return webhook === undefined
        ? problems
        : [...problems, invalid(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook')];
    if (webhook === undefined)
      return [...problems, required(`${path}.webhook`, 'required when type=Webhook')];
    return [...problems, ...validateWebhook(path, webhook, check)];
  });
}

function nameErrors(path: string, name: string, taken: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(path)];
  if (taken.has(name)) return [duplicate(path, name)];
  const texts = dns1123Subdomain(name);
  return texts.length === 0 ? [] : [invalid(path, name, `authorizer name is invalid: ${texts.join(', ')}`)];
}

/** Validates a webhook. Like kube-apiserver, omits `webhook` from the field paths. */
function validateWebhook(path: string, content: WebhookConfiguration, check: ConditionCheck): FieldError[] {
  const {
    subjectAccessReviewVersion = '',
    matchConditionSubjectAccessReviewVersion = '',
    failurePolicy = '',
    matchConditions = [],
  } = content;
  return [
    ...timeErrors(path, content),
    ...choiceErrors(`${path}.subjectAccessReviewVersion`, subjectAccessReviewVersion, ['v1', 'v1beta1']),
    ...(matchConditionSubjectAccessReviewVersion === '' && matchConditions.length === 0
      ? []
      : choiceErrors(
          `${path}.matchConditionSubjectAccessReviewVersion`,
          matchConditionSubjectAccessReviewVersion,
          ['v1'],
          'required if match conditions are specified',
        )),
    ...choiceErrors(`${path}.failurePolicy`, failurePolicy, ['NoOpinion', 'Deny']),
    ...connectionErrors(`${path}.connectionInfo`, content.connectionInfo ?? {}),
    ...conditionErrors(`${path}.matchConditions`, matchConditions, check),
  ];
}

function timeErrors(
  path: string,
  { timeout, authorizedTTL, unauthorizedTTL }: WebhookConfiguration,
): FieldError[] {
  const time = milliseconds(timeout);
  const lifetimes = {
    authorizedTTL: milliseconds(authorizedTTL),
    unauthorizedTTL: milliseconds(unauthorizedTTL),
  };
  return [
    ...(time === 0 ? [required(`${path}.timeout`)] : []),
    ...(time < 0 || time > LONGEST_TIMEOUT
      ? [invalid(`${path}.timeout`, formatMilliseconds(time), 'must be > 0s and <= 30s')]
      : []),
    ...Object.entries(lifetimes).flatMap(([member, value]) =>
      value < 0 ? [invalid(`${path}.${member}`, formatMilliseconds(value), 'must be > 0s')] : [],
    ),
  ];
}

function choiceErrors(path: string, value: string, choices: readonly string[], why = ''): FieldError[] {
  if (value === '') return [required(path, why)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

function connectionErrors(
  path: string,
  { type = '', kubeConfigFile }: NonNullable<WebhookConfiguration['connectionInfo']>,
): FieldError[] {
  const filePath = `${path}.kubeConfigFile`;
  switch (type) {
    case '':
      return [required(`${path}.type`)];
    case 'KubeConfigFile':
      return kubeConfigFile === undefined || kubeConfigFile === ''
        ? [required(filePath)]
        : fileErrors(filePath, kubeConfigFile);
    case 'InClusterConfig':
      return kubeConfigFile === undefined
        ? []
        : [invalid(filePath, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    default:
      return [unsupportedConnection(`${path}.type`, type, kubeConfigFile)];
  }
}

function fileErrors(path: string, file: string): FieldError[] {
  if (!isAbsolute(file)) return [invalid(path, file, 'must be an absolute path')];
  try {
    return withFile('stat', file, () => statSync(file)).isFile()
      ? []
      : [invalid(path, file, 'must be a regular file')];
  } catch (error) {
    return [invalid(path, file, `error loading file: ${(error as Error).message}`)];
  }
}

/** Formats the whole struct, as kube-apiserver does. */
const unsupportedConnection = (field: string, type: string, file: string | undefined): FieldError =>
  notSupportedFormatted(
    field,
    `apiserver.WebhookConnectionInfo{Type:${JSON.stringify(type)}, KubeConfigFile:(*string)(${file === undefined ? 'nil' : '0x0'})}`,
    ['InClusterConfig', 'KubeConfigFile'],
  );

function conditionErrors(
  path: string,
  conditions: NonNullable<WebhookConfiguration['matchConditions']>,
  check: ConditionCheck,
): FieldError[] {
  if (conditions.length > MOST_CONDITIONS) return [tooMany(path, conditions.length, MOST_CONDITIONS)];
  const seen = new Set<string>();
  return conditions.flatMap(({ expression = '' }, index) => {
    const field = `${path}[${index}].expression`;
    if (expression.trim() === '') return [required(field)];
    if (seen.has(expression)) return [duplicate(field, expression)];
    seen.add(expression);
    const problem = check(expression);
    return problem === undefined ? [] : [invalid(field, expression, problem)];
  });
}
