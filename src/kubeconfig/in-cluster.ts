import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { Endpoint } from '../outbound/endpoint.ts';

const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the connection of a pod to the API server of its cluster.
 * @throws ConfigurationError outside of a pod
 */
export function inClusterConfig(environment: NodeJS.ProcessEnv = process.env): Endpoint {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = environment;
  if (host === '' || port === '')
    throw new ConfigurationError(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    );
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    caBundle: readTextFile(`${DIRECTORY}/ca.crt`),
    tokenFile: `${DIRECTORY}/token`,
  };
}
