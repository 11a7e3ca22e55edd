import type { PolicyResult } from '../../admission/policy/evaluate.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import {
  AdmissionMemory,
  type AdmissionOperation,
  type AdmissionRequest,
  type VersionedObject,
} from '../../request/admission.ts';
import { NO_EXTRA } from '../../request/user.ts';
import { ApiError } from '../../status/api-error.ts';
import { LoopScheduler } from '../../steps/loop-scheduler.ts';
import type { CommandOutput } from '../output.ts';
import { objectsIn } from './documents.ts';
import { OfflineCluster } from './offline-cluster.ts';
import { type PolicyOptions, parsePolicyOptions } from './options.ts';

const HELP = `Tries ValidatingAdmissionPolicies on manifests, without a server.

Usage:
  binnacle policy FILE... --on FILE... [flags]

FILE has the policies with their bindings, parameters and namespaces, as YAML or JSON; a
CustomResourceDefinition gives a kind its plural and scope. A policy without a binding acts as if it were
bound with the action Deny to all parameters of its kind. Manifests are taken as
they are, without the server's defaults, and rules match their version only. The authorizer is not available:
its checks are errors. The exit code is 1 when a manifest is denied.

  --on FILE           manifests, in this file and all that follow
  --old FILE          the previous object: the operation is UPDATE, or DELETE
  --operation NAME    CREATE, UPDATE or DELETE
  --user NAME         the user of the request
  --group NAME        a group of the user; may be repeated
`;

const OPERATIONS: readonly string[] = ['CREATE', 'UPDATE', 'DELETE'];

/** Runs `binnacle policy` with its arguments, and resolves to the exit code. */
export async function runPolicyCommand(words: readonly string[], output: CommandOutput): Promise<number> {
  try {
    const options = parsePolicyOptions(words);
    if (!options.help) return await run(options, output);
    output.out(HELP);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof DecodeError)) throw error;
    output.error(`Error: ${error.message}\n`);
    return 1;
  }
}

async function run(options: PolicyOptions, output: CommandOutput): Promise<number> {
  const { files, on, old, operation = old === undefined ? 'CREATE' : 'UPDATE' } = options;
  if (files.length === 0 || on.length === 0)
    throw new ConfigurationError(
      'give files with policies, and --on with manifests; see binnacle policy --help',
    );
  if (!OPERATIONS.includes(operation))
    throw new ConfigurationError(`unknown operation ${operation}; use one of ${OPERATIONS.join(', ')}`);
  const cluster = new OfflineCluster(files.flatMap(objectsIn));
  if (cluster.policies.length === 0)
    throw new ConfigurationError(`no ValidatingAdmissionPolicy in ${files.join(', ')}`);
  if (old !== undefined && operation === 'CREATE')
    throw new ConfigurationError('--old has no meaning with --operation CREATE: there is no previous object');
  const previous = old === undefined ? undefined : objectsIn(old)[0];
  if (old !== undefined && previous === undefined) throw new ConfigurationError(`no object in ${old}`);
  const manifests = on.flatMap(objectsIn);
  if (manifests.length === 0) throw new ConfigurationError(`no manifests in ${on.join(', ')}`);
  const evaluated: string[] = [];
  const plugin = await cluster.plugin({
    decided: () => undefined,
    evaluated: (policy, binding, result) => evaluated.push(...describe(policy, binding, result)),
  });
  let code = 0;
  for (const object of manifests) {
    const request = requestFor(cluster, options, operation as AdmissionOperation, object, previous);
    const warnings: string[] = [];
    const denial = await deniedBy(async () =>
      plugin.validate!({ ...request, warn: (text) => warnings.push(text) }),
    );
    const { name = '', namespace } = object.metadata ?? {};
    output.out(
      `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}: ${verdict(denial, evaluated)}\n`,
    );
    for (const line of evaluated.splice(0)) output.out(`  ${line}\n`);
    if (denial !== undefined) output.out(`  ${denial.message}\n`);
    if (denial !== undefined) code = 1;
  }
  return code;
}

async function deniedBy(validate: () => Promise<void>): Promise<ApiError | undefined> {
  try {
    await validate();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function verdict(denial: ApiError | undefined, evaluated: readonly string[]): string {
  if (denial !== undefined) return `denied (${denial.code} ${denial.reason})`;
  return evaluated.length === 0 ? 'admitted, no policy matches' : 'admitted';
}

/** One line for the policy with its cost, and one for each failed validation. */
function describe(policy: string, binding: string, { decisions, cost, excludedBy }: PolicyResult): string[] {
  const name = `${policy} with binding ${binding}`;
  if (excludedBy !== undefined) return [`${name}: excluded by the match condition ${excludedBy}`];
  const failed = decisions.filter(({ message }) => message !== '');
  const total = `${decisions.length - failed.length} of ${decisions.length} validations hold, cost ${cost}`;
  return [
    `${name}: ${total}`,
    ...failed.map(({ message, denies }) => `  ${denies ? 'failed' : 'ignored'}: ${message}`),
  ];
}

function requestFor(
  cluster: OfflineCluster,
  { user = 'kubernetes-admin', groups }: PolicyOptions,
  operation: AdmissionOperation,
  given: KubernetesObject,
  previous: KubernetesObject | undefined,
): AdmissionRequest {
  const { kind, resource, namespaced } = cluster.resourceOf(given);
  const { name = '', namespace = 'default' } = given.metadata ?? {};
  const old = operation === 'CREATE' ? undefined : (previous ?? given);
  const object = operation === 'DELETE' ? undefined : given;
  const none = (): never => {
    throw new Error('validation changes no object');
  };
  const optionsKind = `${operation[0]}${operation.slice(1).toLowerCase()}Options`;
  return {
    operation,
    user: { name: user, uid: '', groups: [...groups, 'system:authenticated'], extra: NO_EXTRA },
    kind,
    resource,
    subresource: '',
    namespace: namespaced ? namespace : '',
    name,
    object,
    oldObject: old,
    dryRun: true,
    options: { apiVersion: apiVersionOf('meta.k8s.io', 'v1'), kind: optionsKind },
    deadline: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    turns: new LoopScheduler().own,
    isOwnWrite: false,
    memory: new AdmissionMemory(),
    rounds: { round: 0, needsSecond: false },
    inVersion: () => ({ object: object && versioned(object), oldObject: old && versioned(old) }),
    replace: none,
    merge: none,
    objectChanged: none,
    warn: () => undefined,
    annotate: () => undefined,
  };
}

const versioned = (object: KubernetesObject): VersionedObject => ({
  object,
  plain: () => object,
  json: () => JSON.stringify(object),
});
