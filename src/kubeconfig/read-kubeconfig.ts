import type { Endpoint } from '../outbound/endpoint.ts';
import { given, KubeconfigDocument, textOf } from './kubeconfig-document.ts';

/**
 * Reads the connection of a kubeconfig's current context. Relative file names are resolved against its
 * directory.
 * @throws ConfigurationError in one line, without secrets
 */
export function readClientConfig(file: string): Endpoint {
  const document = new KubeconfigDocument(file);
  const contextName = document.currentContext;
  const context = document.entry('contexts', contextName);
  if (context === undefined)
    throw document.configurationError(
      contextName === undefined
        ? 'no current-context is chosen'
        : `context was not found for specified context: ${contextName}`,
    );
  const cluster = document.entry('clusters', textOf(context.cluster));
  const server = textOf(cluster?.server);
  if (
    cluster === undefined ||
    server === undefined ||
    !URL.canParse(server) ||
    !/^https?:$/.test(new URL(server).protocol)
  )
    throw document.configurationError('cluster has no server defined');
  // Ignoring a proxy could breach a network boundary.
  document.refuse(cluster, 'cluster', ['proxy-url']);
  const credentials = document.credentials(document.entry('users', textOf(context.user)) ?? {});
  const caBundle = document.inlineOrFile(cluster, 'certificate-authority');
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  if (insecure && caBundle !== undefined)
    throw document.configurationError(
      'specifying a root certificates file with the insecure flag is not allowed',
    );
  return {
    server,
    ...(insecure ? { insecure } : {}),
    ...given({ caBundle, serverName: textOf(cluster['tls-server-name']) }),
    ...credentials,
  };
}
