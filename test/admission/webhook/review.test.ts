import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../src/admission/webhook/review.ts';

const response = { uid: 'u', allowed: true };
const V1 = 'admission.k8s.io/v1';

describe('the answer to a review', () => {
  it.each([
    [{ response }, 'got /, Kind='],
    [{ apiVersion: V1, response }, `got ${V1}, Kind=`],
    [{ kind: 'AdmissionReview', response }, 'got /, Kind=AdmissionReview'],
    [{ apiVersion: V1, Kind: 'AdmissionReview', response }, `got ${V1}, Kind=`],
  ])('of version v1 says its type: %j', (document, received) => {
    expect(() => readAnswer(document, 'v1', 'u', false)).toThrow(
      expect.objectContaining({
        message: `expected webhook response of ${V1}, Kind=AdmissionReview, ${received}`,
      }),
    );
  });

  it('of version v1beta1 need not say its type', () => {
    expect(readAnswer({ response }, 'v1beta1', 'u', false)).toMatchObject({ allowed: true });
  });

  it.each([
    [{ Kind: 'Foo', response }, 'admission.k8s.io/v1', 'Foo'],
    [{ kind: 'AdmissionReview', APIVERSION: 'x/v1', response }, 'x/v1', 'AdmissionReview'],
  ])('is read whatever the case of the members that name its type: %j', (document, version, kind) => {
    expect(() => readAnswer(document, 'v1', 'u', false)).toThrow(
      `no kind "${kind}" is registered for version "${version}"`,
    );
  });

  it.each([
    [{ apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'no' }],
    [{ apiVersion: 'v1', kind: 'Status', status: 'Success' }],
    [{ apiVersion: V1, kind: 'Status' }],
  ])('is no Status: %j', (document) => {
    expect(() => readAnswer(document, 'v1', 'u', true)).toThrow(
      'converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
    );
  });
});
