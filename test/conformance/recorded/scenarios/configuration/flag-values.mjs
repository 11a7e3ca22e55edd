import { launch } from '../../helpers/launch.mjs';

const flags = (...list) => launch(list.join(' '), list);

export default {
  title: 'Odd values of flags: numbers, lists, gates, versions, runtime configuration',
  steps: [
    flags('--audit-log-maxage=1_000'),
    flags(
      '--http2-max-streams-per-connection=-1',
      '--lease-reuse-duration-seconds=-1',
      '--authorization-mode=',
    ),
    flags('--service-node-port-range=', '--storage-media-type='),
    flags('--service-node-port-range=1 - 5'),
    flags('--api-audiences=a,"b'),
    flags('--allow-metric-labels=nonsense'),
    flags('--tls-sni-cert-key=nonsense'),
    flags('--tls-cert-file=nonsense'),
    flags('--service-account-jwks-uri=nonsense'),
    flags('--strict-transport-security-directives=max-age'),
    flags('--endpoint-reconciler-type='),
    flags('--feature-gates=kube:WatchList=true,WatchList=false'),
    flags('--feature-gates=kube:,ComponentSLIs=false'),
    flags('--logging-format=json', '--feature-gates=LoggingBetaOptions=false'),
    flags('--feature-gates=UnknownVersionInteroperabilityProxy=true'),
    flags('--emulated-version=1.32,kube=1.32'),
    flags('--emulated-version=1.32.1'),
    flags(
      '--runtime-config=extensions/v1beta1/ingresses=true,apps/v1beta1=true,policy/v1beta1,api/legacy=false',
    ),
    flags('--runtime-config=api/ga=false'),
    flags('--runtime-config=api/gamma=true'),
    flags('--runtime-config=apps/v1/Deployments=false'),
    flags('--runtime-config=apps/v1=yes'),
    flags('--runtime-config=v2=true'),
    flags('--log-flush-frequency=1'),
    flags('--cloud-provider=aws'),
  ],
};
