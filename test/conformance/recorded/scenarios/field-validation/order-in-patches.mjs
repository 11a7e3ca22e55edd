const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const containers = '[{"name":"c","image":"i","two":1},{"name":"d","image":"i","tty":true,"tty":false}]';
const spec = `{"spec":{"one":1,"replicas":1,"replicas":2,"template":{"spec":{"containers":${containers}}}}}`;
const patch =
  '[{"op":"add","path":"/spec/one","value":1,"extra":true},{"op":"replace","path":"/spec/replicas","value":1,"value":2},{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"e","image":"i","tty":true,"two":1}}]';
const step = (name, type, body, level) => ({
  name: `${name}, ${level}`,
  method: 'PATCH',
  path: `${deployments}/d?fieldValidation=${level}&dryRun=All`,
  contentType: `application/${type}+json`,
  body,
});

export default {
  title: 'The order of unknown and duplicate fields in patches',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: deployments,
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      },
    },
  ],
  steps: ['Strict', 'Warn'].flatMap((level) => [
    step('merge', 'merge-patch', spec, level),
    step('strategic', 'strategic-merge-patch', spec, level),
    step('JSON', 'json-patch', patch, level),
  ]),
};
