import { describe, expect, it } from 'vitest';
import { imagePolicyWebhook } from '../../../src/admission/plugins/image-policy-webhook.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

interface Settings {
  readonly defaultAllow?: boolean;
  readonly answer?: () => Promise<Record<string, unknown>>;
}

function setUp({
  defaultAllow = false,
  answer = () => Promise.resolve({ status: { allowed: true } }),
}: Settings) {
  const reviews: unknown[] = [];
  const annotations: Record<string, string> = {};
  const clock = { now: 0 };
  const plugin = imagePolicyWebhook({
    scheme: schemeOf(),
    imagePolicy: { allowTtl: 1000, denyTtl: 0, defaultAllow },
    reviewImages(review) {
      reviews.push(review);
      return answer();
    },
    monotonic: () => clock.now,
  });
  const create = (spec: object = { containers: [{ name: 'c', image: 'i' }] }, metadata = {}, changes = {}) =>
    admitted(
      plugin,
      admissionRequest('pods', pod(spec, metadata), {
        annotate: (key, value) => void Object.assign(annotations, { [key]: value }),
        ...changes,
      }),
    );
  return { create, reviews, annotations, clock };
}
const denied = (reason?: string) => () => Promise.resolve({ status: { allowed: false, reason } });

describe('ImagePolicyWebhook', () => {
  it('sends images, namespace and the annotations for the policy', async () => {
    const { create, reviews } = setUp({});
    await create(
      { containers: [{ name: 'c', image: 'a' }], initContainers: [{ name: 'i', image: 'b' }] },
      { annotations: { 'x.image-policy.k8s.io/ticket': '1', other: '2' } },
    );
    expect(reviews).toEqual([
      {
        apiVersion: 'imagepolicy.k8s.io/v1alpha1',
        kind: 'ImageReview',
        metadata: { creationTimestamp: null },
        spec: {
          containers: [{ image: 'a' }, { image: 'b' }],
          annotations: { 'x.image-policy.k8s.io/ticket': '1' },
          namespace: 'n',
        },
        status: { allowed: false },
      },
    ]);
  });

  it('sends only the ephemeral containers when they change', async () => {
    const { create, reviews } = setUp({});
    await create(
      { containers: [{ name: 'c', image: 'a' }], ephemeralContainers: [{ name: 'e', image: 'b' }] },
      {},
      { operation: 'UPDATE', subresource: 'ephemeralcontainers' },
    );
    expect(reviews).toMatchObject([{ spec: { containers: [{ image: 'b' }] } }]);
  });

  it('keeps decisions for their time to live', async () => {
    const { create, reviews, clock } = setUp({});
    await create();
    await create();
    expect(reviews).toHaveLength(1);
    clock.now = 1000;
    await create();
    expect(reviews).toHaveLength(2);
  });

  it.each([
    ['bad', 'image policy webhook backend denied one or more images: bad'],
    [undefined, 'one or more images rejected by webhook backend'],
  ])('rejects pods with the reason %j', async (reason, text) => {
    const { create, reviews } = setUp({ answer: denied(reason) });
    await expect(create()).rejects.toThrow(`pods "p" is forbidden: ${text}`);
    // Denials are not kept here: their time to live is 0.
    await expect(create()).rejects.toThrow(text);
    expect(reviews).toHaveLength(2);
  });

  it('passes audit annotations on', async () => {
    const { create, annotations } = setUp({
      answer: () => Promise.resolve({ status: { allowed: true, auditAnnotations: { a: 'b' } } }),
    });
    await create();
    expect(annotations).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/a': 'b' });
  });

  it.each<[string, () => Promise<Record<string, unknown>>]>([
    ['is not reached', () => Promise.reject(new Error('connection refused'))],
    ['answers with another kind', () => Promise.resolve({ kind: 'Other' })],
    ['answers with a malformed status', () => Promise.resolve({ status: { allowed: 'yes' } })],
  ])('fails closed or open if the backend %s', async (_title, answer) => {
    await expect(setUp({ answer }).create()).rejects.toMatchObject({ code: 403 });
    const { create, annotations } = setUp({ answer, defaultAllow: true });
    await create();
    expect(annotations).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' });
  });

  it('denies if the status is absent', async () => {
    await expect(setUp({ answer: () => Promise.resolve({}) }).create()).rejects.toThrow('one or more images');
  });
});
