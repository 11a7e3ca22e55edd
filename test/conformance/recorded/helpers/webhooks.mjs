/** The path of a webhook of the helper that gives `response` for reviews of group `tag`. */
const answerPath = (tag, response) =>
  `answer/${tag}/${Buffer.from(JSON.stringify({ response })).toString('base64url')}`;

/** The path of a webhook that answers with a JSON Patch. */
export const patchPath = (tag, operations) =>
  answerPath(tag, {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

/** A webhook for objects of a namespace. @param more replaces and adds members */
export const webhookOf = (name, namespace, rule, path, more = {}) => ({
  name: `${name}.example.com`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], ...rule }],
  clientConfig: { url: `\${hook}/${path}`, caBundle: `\${hookCa}` },
  ...more,
});
