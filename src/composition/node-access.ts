import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import { KubeletConnections } from '../kubelets/connections.ts';
import { NodeAccess } from '../kubelets/node-access.ts';
import type { KubeletSettings } from '../kubelets/settings.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import { prepareTls } from '../outbound/connect.ts';
import type { Egress } from '../outbound/egress.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { readKeyedCertificate } from './serving-certificates.ts';
import type { SimulatedKubeletParts, SimulatedKubelets } from './simulated-kubelets.ts';

/** Streams hold a place for as long as they run. */
const LIMITS = { maximumRequests: 65_536, maximumWaiting: 1024 };

export type KubeletOptions = OptionSlice<
  | 'kubeletCertificateAuthority'
  | 'kubeletClientCertificate'
  | 'kubeletClientKey'
  | 'kubeletPort'
  | 'kubeletPreferredAddressTypes'
  | 'kubeletTimeout'
>;

/** How requests for kubelets and pods leave the server. */
export interface RunningNodeAccess {
  readonly access: NodeAccess;
  /** What is simulated; undefined if no nodes are. */
  readonly simulated: SimulatedKubelets | undefined;
  close(): void;
}

/** @throws ConfigurationError for an unusable certificate */
export async function createNodeAccess(
  values: KubeletOptions,
  egress: Egress,
  metrics: ServerMetrics,
  simulation: Omit<SimulatedKubeletParts, 'limits'> | undefined,
): Promise<RunningNodeAccess> {
  const client = new OutboundClient({ ...LIMITS, egress });
  // Loaded with simulated nodes only.
  const simulated =
    simulation && (await import('./simulated-kubelets.ts')).simulatedNodes({ ...simulation, limits: LIMITS });
  const access = new NodeAccess({
    connections: new KubeletConnections(client, readKubeletSettings(values), simulated),
    observer: {
      commandTranslated: (code) => metrics.translatedStreams.with(String(code)).add(),
      portsTunnelled: (code) => metrics.tunnelledStreams.with(String(code)).add(),
      logRequested: (isVerified) =>
        metrics.podLogRequests.with(isVerified ? 'enforce_tls' : 'skip_tls_allowed').add(),
      logUnverified: () => metrics.podLogTlsFailures.with().add(),
    },
    lookup: addressesOf,
  });
  return {
    access,
    simulated,
    close() {
      client.close();
      simulated?.close();
    },
  };
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOTFOUND' ? 'no such host' : error.message;
    throw new Error(`lookup ${host}: ${reason}`);
  });
  return found.map(({ address }) => address);
}

function readKubeletSettings(values: KubeletOptions): KubeletSettings {
  const { kubeletCertificateAuthority: bundleFile, kubeletClientCertificate, kubeletClientKey } = values;
  const caBundle = bundleFile === '' ? undefined : readTextFile(bundleFile);
  const identity =
    kubeletClientCertificate === ''
      ? undefined
      : readKeyedCertificate(kubeletClientCertificate, kubeletClientKey);
  try {
    if (caBundle !== undefined) prepareTls({ caBundle });
  } catch (error) {
    throw new ConfigurationError(
      `--kubelet-certificate-authority=${bundleFile}: ${(error as Error).message}`,
    );
  }
  return {
    port: values.kubeletPort,
    addressTypes: values.kubeletPreferredAddressTypes,
    connectTimeout: values.kubeletTimeout,
    caBundle,
    certificate: identity?.certificate,
    key: identity?.key,
  };
}
