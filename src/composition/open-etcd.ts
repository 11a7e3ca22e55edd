import { builtinResourcesOf } from '../kinds/builtin-resources.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { parseOverride } from '../options/etcd-servers.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import { directDialer } from '../outbound/dialer.ts';
import type { Egress } from '../outbound/egress.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import type { Storage } from '../storage/storage.ts';

/** The options of etcd. */
export type EtcdOptionSlice = OptionSlice<
  | 'etcdCafile'
  | 'etcdCertfile'
  | 'etcdCompactionInterval'
  | 'etcdDbMetricPollInterval'
  | 'etcdHealthcheckTimeout'
  | 'etcdKeyfile'
  | 'etcdPrefix'
  | 'etcdReadycheckTimeout'
  | 'etcdServers'
  | 'etcdServersOverrides'
  | 'leaseReuseDurationSeconds'
>;

/**
 * Connects to the etcd clusters of the flags, through the proxy of their network; does not wait for them.
 * @throws ConfigurationError for certificates that cannot be read
 */
export async function openEtcd(
  values: EtcdOptionSlice,
  logger: Logger,
  metrics: ServerMetrics,
  egress: Egress,
  scheme: Scheme,
): Promise<Storage> {
  const { openEtcdStorage, RoutedStorage } = await import('../storage/etcd/index.ts');
  const open = (servers: readonly string[]): Storage =>
    openEtcdStorage({
      servers,
      prefix: values.etcdPrefix,
      caFile: values.etcdCafile,
      certificateFile: values.etcdCertfile,
      keyFile: values.etcdKeyfile,
      compactionInterval: values.etcdCompactionInterval,
      healthTimeout: values.etcdHealthcheckTimeout,
      readyTimeout: values.etcdReadycheckTimeout,
      statisticsInterval: values.etcdDbMetricPollInterval,
      leaseReuseSeconds: Math.max(0, values.leaseReuseDurationSeconds),
      onLeaseReplaced: (keys) => metrics.leaseObjects.with().observe(keys),
      dial: egress.etcd === directDialer ? undefined : egress.etcd,
      onWarning: (message, error) => logger.warn(message, { err: error.message }),
    });
  const main = open(values.etcdServers);
  if (values.etcdServersOverrides.length === 0) return main;
  const routes = values.etcdServersOverrides.flatMap((text) => {
    const { group, resource, servers } = parseOverride(text);
    const prefix = builtinPrefix(scheme, group, resource);
    return prefix === undefined ? [] : [{ prefix, storage: open(servers) }];
  });
  return new RoutedStorage(main, routes);
}

/** The prefix of the keys of a built-in kind; others have no override, as in kube-apiserver. */
function builtinPrefix(scheme: Scheme, group: string, resource: string): string | undefined {
  for (const row of builtinResourcesOf(scheme).rows)
    if (row.group === group && row.resource === resource && row.storage !== undefined)
      return `${REGISTRY_ROOT}${row.storage.prefix}/`;
  return undefined;
}
