import { alwaysAllow, alwaysDeny, privilegedGroup, unionAuthorizer } from '../authorization/authorizers.ts';
import type { EscalationContext } from '../authorization/escalation.ts';
import type { NodeAuthorizerOptions } from '../authorization/node/authorizer.ts';
import { createRbacAuthorizer } from '../authorization/rbac.ts';
import { createReloadableAuthorizer } from '../authorization/reloadable.ts';
import type { RoleSource } from '../authorization/role-source.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { reloadOnChange } from '../files/file-watch.ts';
import { readTextFile } from '../files/files.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Kubelets } from '../nodes/kubelets.ts';
import type { Logger } from '../observability/log.ts';
import { type AuthorizationMetrics, authorizationMetrics } from '../observability/metrics-authorization.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { ConfiguredAuthorizer } from '../options/documents/authorization.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { AuthorizationMode } from '../options/validation/authorization.ts';
import type { Egress } from '../outbound/egress.ts';
import type { Readers } from '../reader/readers.ts';
import type { Authorizer } from '../request/attributes.ts';
import { processClock } from '../time/clock.ts';
import { hashLabel } from './hash-label.ts';
import { measureAuthorizer } from './instrumentation.ts';
import { serverIdentity } from './open-storage.ts';

/** Timeout of one call of the webhook of `--authorization-mode`, in milliseconds. */
const FLAG_WEBHOOK_TIMEOUT = 30_000;
/** How long in-flight requests may use a replaced configuration. */
const CLOSING_MILLISECONDS = 180_000;

/** The options of the authorizers. */
type AuthorizerOptions = OptionSlice<
  | 'authorizationConfig'
  | 'authorizationPolicyFile'
  | 'authorizationWebhookCacheAuthorizedTtl'
  | 'authorizationWebhookCacheUnauthorizedTtl'
  | 'authorizationWebhookConfigFile'
  | 'authorizationWebhookVersion'
>;

/**
 * Returns the authorizers of a server in order: from the configuration file, or from the flags.
 * @throws ConfigurationError
 */
export async function readAuthorizerConfiguration({
  values,
  authorizationModes,
}: Configuration<AuthorizerOptions>): Promise<readonly ConfiguredAuthorizer[]> {
  if (values.authorizationConfig !== '') {
    const { readAuthorizationFile } = await import('../options/documents/authorization.ts');
    const { matchConditionError } = await import('../authorization/webhook/index.ts');
    return readAuthorizationFile(values.authorizationConfig, matchConditionError);
  }
  return authorizationModes.map((type) =>
    type === 'Webhook'
      ? {
          type,
          name: 'default',
          webhook: {
            timeout: FLAG_WEBHOOK_TIMEOUT,
            authorizedTtl: values.authorizationWebhookCacheAuthorizedTtl,
            unauthorizedTtl: values.authorizationWebhookCacheUnauthorizedTtl,
            reviewVersion: values.authorizationWebhookVersion,
            failurePolicy: 'NoOpinion',
            kubeconfigFile: values.authorizationWebhookConfigFile,
            conditions: [],
          },
        }
      : { type, name: type.toLowerCase() },
  );
}

export interface AuthorizationDependencies {
  readonly configuration: Configuration<AuthorizerOptions>;
  readonly authorizers: readonly ConfiguredAuthorizer[];
  readonly roles: RoleSource;
  readonly readers: Readers;
  /** The kubelets of simulated nodes, which the Node authorizer decides about whatever the modes are. */
  readonly kubelets: Kubelets | undefined;
  readonly egress: Egress;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** The authorization of a server. */
export interface Authorization {
  readonly authorizer: Authorizer;
  /** Prevents privilege escalation; undefined without RBAC. */
  readonly escalation: Pick<EscalationContext, 'authorizer' | 'resolver' | 'roles'> | undefined;
  stop(): void;
}

/** The authorizers of one state of the configuration. */
interface Assembly {
  readonly union: Authorizer;
  close(): void;
}

/**
 * Creates the authorizers and reloads them when the configuration file changes. @throws ConfigurationError
 */
export async function createAuthorization(options: AuthorizationDependencies): Promise<Authorization> {
  const { configuration, authorizers, roles, egress, metrics, logger } = options;
  const { values } = configuration;
  const rbac = createRbacAuthorizer(roles);
  const fixed = new Map<AuthorizationMode, Authorizer>([
    ['AlwaysAllow', alwaysAllow],
    ['AlwaysDeny', alwaysDeny],
  ]);
  let stopNode = (): void => undefined;
  for (const { type } of authorizers) {
    if (type === 'RBAC') fixed.set(type, rbac);
    if (type === 'Node') {
      const node = await nodeAuthorizer(options);
      fixed.set(type, node.authorizer);
      stopNode = node.stop;
    }
    if (type === 'ABAC') fixed.set(type, await abacAuthorizer(values.authorizationPolicyFile, logger));
  }
  const ownMetrics = authorizationMetrics(metrics.registry);
  const kubelets = fixed.has('Node') ? undefined : await kubeletAuthorizer(options);
  const assemble = (list: readonly ConfiguredAuthorizer[]) =>
    assembly(list, fixed, kubelets, ownMetrics, metrics, egress, configuration.scheme);
  let current = await assemble(authorizers);
  const authorizer = createReloadableAuthorizer(current.union);
  let stopWatching = (): void => undefined;
  if (values.authorizationConfig !== '') {
    let known = readTextFile(values.authorizationConfig);
    const reload = async (): Promise<void> => {
      const text = readTextFile(values.authorizationConfig);
      if (text === known) return;
      known = text;
      const next = await assemble(await readAuthorizerConfiguration(configuration));
      const before = current;
      current = next;
      authorizer.replace(next.union);
      processClock.after(CLOSING_MILLISECONDS, () => before.close());
      recordReload('success');
      logger.info('reloaded the authorization configuration', { file: values.authorizationConfig });
    };
    const identity = hashLabel(serverIdentity().name);
    const recordReload = (status: 'success' | 'failure') => {
      ownMetrics.reloads.with(status, identity).add();
      ownMetrics.lastReload.with(status, identity).set(processClock.now() / 1000);
    };
    stopWatching = reloadOnChange({
      files: [values.authorizationConfig],
      reload: () =>
        reload().catch((error: Error) => {
          recordReload('failure');
          logger.error('failed to reload the authorization configuration; keeping the previous one', {
            err: error.message,
          });
        }),
    });
  }
  return {
    authorizer,
    escalation: fixed.has('RBAC') ? { authorizer, resolver: rbac, roles } : undefined,
    stop() {
      stopWatching();
      stopNode();
      current.close();
    },
  };
}

async function assembly(
  list: readonly ConfiguredAuthorizer[],
  fixed: ReadonlyMap<AuthorizationMode, Authorizer>,
  kubelets: Authorizer | undefined,
  ownMetrics: AuthorizationMetrics,
  metrics: ServerMetrics,
  egress: Egress,
  scheme: Scheme,
): Promise<Assembly> {
  const closing: (() => void)[] = [];
  const close = () => {
    for (const one of closing) one();
  };
  const created: Authorizer[] = [privilegedGroup];
  try {
    for (const configured of list) {
      const { type, name } = configured;
      if (type === 'Webhook') {
        const { connectWebhook } = await import('./authorization-webhooks.ts');
        const webhook = connectWebhook(
          await import('../authorization/webhook/index.ts'),
          configured,
          ownMetrics,
          egress,
          scheme,
        );
        closing.push(webhook.close);
        created.push(measureAuthorizer(type, webhook.authorizer, metrics));
        continue;
      }
      const found = fixed.get(type);
      if (found === undefined)
        throw new ConfigurationError(
          `authorizer type ${type} is not allowed if it was not enabled at initial server startup`,
        );
      created.push(measureAuthorizer(type, { ...found, name }, metrics));
    }
  } catch (error) {
    close();
    throw error;
  }
  if (kubelets !== undefined) created.push(measureAuthorizer('Node', kubelets, metrics));
  return { union: unionAuthorizer(created), close };
}

async function abacAuthorizer(file: string, logger: Logger): Promise<Authorizer> {
  const { readPolicyFile } = await import('../authorization/abac/policy-file.ts');
  const { createAbacAuthorizer } = await import('../authorization/abac/authorizer.ts');
  const text = readTextFile(file);
  try {
    const { policies, warnings } = readPolicyFile(text, file);
    for (const warning of warnings) logger.warn(warning);
    return createAbacAuthorizer(policies);
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

async function nodeAuthorizer({
  configuration,
  readers,
  logger,
}: AuthorizationDependencies): Promise<{ readonly authorizer: Authorizer; stop(): void }> {
  const { createNodeAuthorizer } = await import('../authorization/node/authorizer.ts');
  const { followNodeRelations } = await import('../listers/node-relations.ts');
  const { relations, stop } = await followNodeRelations(readers, logger);
  return { authorizer: createNodeAuthorizer({ relations, ...(await nodeAccess(configuration)) }), stop };
}

/** What every node may do. */
async function nodeAccess({
  gates,
  scheme,
}: Configuration<AuthorizerOptions>): Promise<Omit<NodeAuthorizerOptions, 'relations'>> {
  const { nodeRules } = await import('../bootstrap/node-roles.ts');
  return {
    rules: nodeRules({ has: scheme.has, isOn: gates.isOn }),
    selectors: gates.enabled('AuthorizeNodeWithSelectors'),
  };
}

/** The Node authorizer for simulated kubelets alone. They read no objects of their Pods: none is related to them. */
async function kubeletAuthorizer({
  configuration,
  kubelets,
}: AuthorizationDependencies): Promise<Authorizer | undefined> {
  if (kubelets === undefined) return undefined;
  const { createNodeAuthorizer } = await import('../authorization/node/authorizer.ts');
  const { NodeRelations } = await import('../authorization/node/relations.ts');
  const node = createNodeAuthorizer({ relations: new NodeRelations(), ...(await nodeAccess(configuration)) });
  return {
    name: node.name,
    authorize: (attributes) =>
      kubelets.hasUser(attributes.user) ? node.authorize(attributes) : { decision: 'no-opinion', reason: '' },
  };
}
