// Requests near the limits that are answered with an error, or with many warnings.
import { BASES } from './field-bases.mjs';
import { core, many, map } from './hostile.mjs';

const BYTES = 2_800_000;
const JSON_TYPE = 'application/json';
const address = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const filled = (unit) => unit.repeat(Math.floor(BYTES / unit.length));
const KEYS = 40_000;

const creation = (path, object) => ({
  method: 'POST',
  path: `${path}?dryRun=All`,
  type: JSON_TYPE,
  body: JSON.stringify(object),
});
const named = (kind, change) => ({ ...BASES[kind], metadata: { name: 'a' }, ...change });

const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs';
const cronJob = (change) =>
  creation(CRON_JOBS, named('CronJob', { spec: { ...BASES.CronJob.spec, ...change } }));

const secret = (type, key, text) =>
  creation(core('secrets'), {
    metadata: { name: 'a' },
    type,
    data: { [key]: Buffer.from(text).toString('base64') },
  });
const JSON_KEYS = JSON.stringify(map(90_000, (index) => `k${index}`, 1));

const service = (spec, annotations) =>
  creation(core('services'), {
    metadata: { name: 'a', annotations },
    spec: { ports: [{ port: 1 }], ...spec },
  });

const quota = (make) =>
  creation(core('resourcequotas'), {
    metadata: { name: 'a' },
    spec: { hard: Object.assign({}, ...make()) },
  });
const digits = (count) => '123456789'.repeat(Math.ceil(count / 9)).slice(0, count);

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (schema) =>
  creation(DEFINITIONS, {
    metadata: { name: 'as.example.com' },
    spec: {
      ...BASES.CustomResourceDefinition.spec,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
        },
      ],
    },
  });
const text = (change) => definition({ type: 'string', ...change });
const rule = (expression) => text({ maxLength: 5, 'x-kubernetes-validations': [{ rule: expression }] });

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const policy = (expression) =>
  creation(POLICIES, {
    metadata: { name: 'a' },
    spec: { ...BASES.ValidatingAdmissionPolicy.spec, validations: [{ expression }] },
  });

const data = (value) => map(KEYS, (index) => `k${index}`, value);
const STORED = {
  method: 'POST',
  path: core('configmaps'),
  type: JSON_TYPE,
  body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: data('v') }),
};
const patch = (type, query, body) => ({
  prepare: STORED,
  method: 'PATCH',
  path: `${core('configmaps')}/a?dryRun=All${query}`,
  type: `application/${type}`,
  body: JSON.stringify(body),
});
const listed = (query) => ({ method: 'GET', path: `${core('pods')}?${query}` });

/** By name: `{ prepare?, method, path, type?, body? }`. */
export const REFUSALS = {
  'schedule: @every': () => cronJob({ schedule: `@every ${filled('1h')}` }),
  'schedule: list': () => cronJob({ schedule: `${filled('1,')}1 * * * *` }),
  'schedule: wrong at its end': () => cronJob({ schedule: `${filled('1,')}99 * * * *` }),
  'schedule: spaces': () => cronJob({ schedule: filled(' ') }),
  'schedule: words': () => cronJob({ schedule: filled('* ') }),
  'schedule: time zone': () => cronJob({ schedule: `TZ=${filled('A')} * * * * *` }),
  'schedule: hyphens': () => cronJob({ schedule: `${filled('1-')} * * * *` }),
  'time zone: letters': () => cronJob({ timeZone: filled('A') }),
  'time zone: segments': () => cronJob({ timeZone: filled('Europe/') }),
  'docker configuration': () => secret('kubernetes.io/dockerconfigjson', '.dockerconfigjson', JSON_KEYS),
  'docker configuration of depth': () =>
    secret('kubernetes.io/dockercfg', '.dockercfg', `${'{"a":'.repeat(5_000)}${'[1],'.repeat(500_000)}`),
  'key pair of text': () => ({
    ...creation(core('secrets'), {
      metadata: { name: 'a' },
      type: 'kubernetes.io/tls',
      data: {
        'tls.crt': Buffer.from(`-----BEGIN CERTIFICATE-----\n${'QUFB\n'.repeat(150_000)}`).toString('base64'),
        'tls.key': Buffer.from(`-----BEGIN PRIVATE KEY-----\n${'QUFB\n'.repeat(5_000)}`).toString('base64'),
      },
    }),
  }),
  'conflicts of an apply': () =>
    patch('apply-patch+yaml', '&fieldManager=b', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: data('w'),
    }),
  'external addresses': () => service({ externalIPs: many(90_000, address) }),
  'external addresses that are wrong': () => service({ externalIPs: many(90_000, (index) => `x${index}`) }),
  'external addresses with zeros': () =>
    service({ externalIPs: many(90_000, (index) => `010.1.1.${index % 255}`) }),
  'source ranges': () =>
    service({
      type: 'LoadBalancer',
      loadBalancerSourceRanges: many(90_000, (index) => `${address(index)}/32`),
    }),
  'source ranges that are wrong': () =>
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: many(90_000, (index) => `x${index}`) }),
  'source ranges with zeros': () =>
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: many(90_000, () => '010.0.0.1/8') }),
  'source ranges of an annotation': () =>
    service(
      { type: 'LoadBalancer' },
      {
        'service.beta.kubernetes.io/load-balancer-source-ranges': many(
          10_000,
          (i) => `${address(i)}/32`,
        ).join(),
      },
    ),
  'quantities of 900 digits': () => quota(() => many(3_000, (i) => ({ [`a.b/k${i}`]: digits(900) }))),
  'quantities of 300 digits': () => quota(() => many(9_000, (i) => ({ [`a.b/k${i}`]: digits(300) }))),
  'quantities with fractions': () =>
    quota(() => many(9_000, (i) => ({ [`a.b/k${i}`]: `${digits(150)}.${digits(150)}` }))),
  'quantities with exponents': () => quota(() => many(40_000, (i) => ({ [`a.b/k${i}`]: `${i}e2147483647` }))),
  'a quantity of digits': () => quota(() => [{ pods: filled('1') }]),
  'a pattern: letters': () => text({ pattern: filled('a') }),
  'a pattern: parentheses': () => text({ pattern: filled('(a)') }),
  'a pattern: nested': () =>
    text({ pattern: `${filled('(').slice(0, BYTES / 2)}${filled(')').slice(0, BYTES / 2)}` }),
  'a pattern: classes': () => text({ pattern: filled('[a-z]') }),
  'a pattern: alternatives': () => text({ pattern: filled('a|') }),
  'patterns of 1,000 characters': () =>
    definition({
      type: 'object',
      properties: Object.fromEntries(
        many(2_500, (index) => [`p${index}`, { type: 'string', pattern: '(a|b)'.repeat(200) }]),
      ),
    }),
  'a rule: literal': () => rule(`'${filled('a')}' == ''`),
  'a rule: sum': () => rule(`${filled('1+')}1 == 1`),
  'a rule: parentheses': () => rule(filled('(')),
  'a rule: list': () => rule(`[${filled('1,')}1] == []`),
  'a rule: escapes': () => rule(`'${filled('\\\\')}' == ''`),
  'a policy: literal': () => policy(`'${filled('a')}' == ''`),
  'a policy: bytes': () => policy(`b'${filled('a')}' == b''`),
  'a policy: number': () => policy(`${filled('1')} == 1`),
  'a policy: name': () => policy(filled('a')),
  'a policy: comment': () => policy(`true //${filled('a')}`),
  'a policy: regular expression': () => policy(`'a'.matches('${filled('a')}')`),
  'replacements of a JSON Patch': () =>
    patch(
      'json-patch+json',
      '',
      many(10_000, (index) => ({ op: 'replace', path: `/data/k${index}`, value: 'w' })),
    ),
  'removals of a JSON Patch': () =>
    patch(
      'json-patch+json',
      '',
      many(10_000, (index) => ({ op: 'remove', path: `/data/k${index}` })),
    ),
  'tests of a JSON Patch': () =>
    patch(
      'json-patch+json',
      '',
      many(9_000, () => ({ op: 'test', path: '/data', value: {} })),
    ),
  'a path of a JSON Patch': () => patch('json-patch+json', '', [{ op: 'add', path: filled('/a'), value: 1 }]),
  'query parameters': () => listed(many(100_000, (index) => `a${index}=`).join('&')),
  'values of a query parameter': () => listed(many(100_000, () => 'a=1').join('&')),
  'empty query parameters': () => listed('&'.repeat(300_000)),
  'terms of a selector': () => listed(`labelSelector=${many(7_000, (index) => `a${index}%3Db`).join()}`),
  'a wrong value in a selector': () =>
    listed(`labelSelector=a in (${many(8_000, (i) => `!${i}`)})`.replaceAll(' ', '%20')),
  'wrong values in a selector': () =>
    listed(`labelSelector=a%20in%20(${many(9_000, (index) => `-${index}`).join()})`),
  'a field selector of one term': () => listed(`fieldSelector=metadata.name%3D${'a'.repeat(60_000)}`),
  'a dry run': () => ({
    ...creation(core('configmaps'), { metadata: { name: 'a' } }),
    path: `${core('configmaps')}?${many(6_000, (i) => `dryRun=${i}`).join('&')}`,
  }),
  'a label selector in an object': () => ({
    ...creation('/apis/apps/v1/namespaces/default/deployments', {
      ...BASES.Deployment,
      metadata: { name: 'a' },
      spec: { ...BASES.Deployment.spec, selector: { matchLabels: map(45_000, (index) => `k${index}`, '-') } },
    }),
  }),
};
