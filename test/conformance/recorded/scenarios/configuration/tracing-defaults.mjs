import { launch } from '../../helpers/launch.mjs';

const KNOWN = { apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'TracingConfiguration' };
const document = (name, content) =>
  launch(name, ['--tracing-config-file={dir}/tracing.yaml'], {
    'tracing.yaml': typeof content === 'string' ? content : JSON.stringify(content),
  });
const endpoint = (value) => document(`endpoint ${value}`, { ...KNOWN, endpoint: value });

export default {
  title:
    'TracingConfiguration: kind and apiVersion may be missing; an endpoint is a URL without or with a scheme',
  steps: [
    document('empty', '# nothing\n'),
    document('null', 'null'),
    document('a list', '[]'),
    document('no kind', { endpoint: 'localhost:4317', apiVersion: KNOWN.apiVersion }),
    document('no apiVersion', { kind: KNOWN.kind, samplingRatePerMillion: 5 }),
    document('an unknown version', { ...KNOWN, apiVersion: 'apiserver.config.k8s.io/v1' }),
    document('a null rate', { ...KNOWN, samplingRatePerMillion: null }),
    document('a rate beyond 32 bits', { ...KNOWN, samplingRatePerMillion: 2147483648 }),
    document('two problems', { ...KNOWN, samplingRatePerMillion: -1, endpoint: 'http://a' }),
    ...['DNS:///a:1', '[::1]:4317', 'unix:a', 'a b:1', '%zz:1', 'xds:///a', '1a://b'].map(endpoint),
  ],
};
