import { describe, expect, test } from 'vitest';
import { parseEventLimits } from '../../../src/options/documents/admission/event-rate-limit.ts';
import { parseImagePolicy } from '../../../src/options/documents/admission/image-policy.ts';
import { parseLimitedResources } from '../../../src/options/documents/admission/resource-quota.ts';
import { parseWebhookAdmission } from '../../../src/options/documents/admission/webhook-admission.ts';

const V1 = 'apiserver.config.k8s.io/v1';
const quota = { apiVersion: V1, kind: 'ResourceQuotaConfiguration' };
const limits = {
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits: [{ type: 'Server', qps: 1, burst: 2 }],
};
const webhooks = { apiVersion: V1, kind: 'WebhookAdmissionConfiguration', kubeConfigFile: '/file' };
const noStruct =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe('apiVersion and kind of documents', () => {
  test.each([
    ['{}', "Object 'Kind' is missing in '{}'"],
    [
      `{"kind":"ResourceQuotaConfiguration"}`,
      `Object 'apiVersion' is missing in '{"kind":"ResourceQuotaConfiguration"}'`,
    ],
    ['kind: A\n', "Object 'apiVersion' is missing in 'kind: A\n'"],
    ['[]', `couldn't get version/kind; json parse error: json: cannot unmarshal array into ${noStruct}`],
    ['1', `couldn't get version/kind; json parse error: json: cannot unmarshal number into ${noStruct}`],
    [
      '{"kind":true,"apiVersion":{}}',
      "couldn't get version/kind; json parse error: json: cannot unmarshal bool into Go struct field .kind of type string",
    ],
    [
      '{{{',
      "couldn't get version/kind; json parse error: invalid character '{' looking for beginning of object key string",
    ],
    ['{"kind":"A","apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    [
      `{"Kind":"ResourceQuotaConfiguration","apiVersion":"${V1}"}`,
      'strict decoding error: unknown field "Kind"',
    ],
  ])('%s', (text, message) => {
    expect(() => parseLimitedResources(text)).toThrow(expect.objectContaining({ message }));
  });

  test('an unknown member is an error of ResourceQuota only', () => {
    expect(() => parseLimitedResources(JSON.stringify({ ...quota, other: 1 }))).toThrow(
      'unknown field "other"',
    );
    expect(parseEventLimits(JSON.stringify({ ...limits, other: 1 }))).toHaveLength(1);
    expect(parseWebhookAdmission(JSON.stringify({ ...webhooks, other: 1 }))).toBe('/file');
  });
});

test.each([
  [undefined, 'limits: Invalid value: []eventratelimit.Limit(nil): must not be empty'],
  [[], 'limits: Invalid value: []eventratelimit.Limit{}: must not be empty'],
])('event limits %j are refused', (given, message) => {
  expect(() => parseEventLimits(JSON.stringify({ ...limits, limits: given }))).toThrow(
    expect.objectContaining({ message }),
  );
});

test('a document for webhooks names a file', () => {
  expect(() => parseWebhookAdmission(JSON.stringify({ ...webhooks, kubeConfigFile: undefined }))).toThrow(
    'kubeConfigFile: Invalid value: "": must be an absolute file path',
  );
});

describe('the image policy is decoded like encoding/json', () => {
  test('names in any case', () => {
    expect(parseImagePolicy('{"ImagePolicy":{"KUBECONFIGFILE":"/a","allowttl":50}}')).toMatchObject({
      kubeconfigFile: '/a',
      allowTtl: 50_000,
    });
  });

  test.each([
    [
      '{"imagePolicy":[]}',
      'array into Go struct field AdmissionConfig.imagePolicy of type imagepolicy.imagePolicyWebhookConfig',
    ],
    [
      '{"imagePolicy":{"allowTTL":1.5}}',
      'number 1.5 into Go struct field imagePolicyWebhookConfig.imagePolicy.allowTTL of type time.Duration',
    ],
    [
      '{"imagePolicy":{"defaultAllow":1}}',
      'number into Go struct field imagePolicyWebhookConfig.imagePolicy.defaultAllow of type bool',
    ],
    [
      '{"imagePolicy":{"kubeConfigFile":true}}',
      'bool into Go struct field imagePolicyWebhookConfig.imagePolicy.kubeConfigFile of type string',
    ],
  ])('%s', (text, found) => {
    expect(() => parseImagePolicy(text)).toThrow(
      expect.objectContaining({ message: `json: cannot unmarshal ${found}` }),
    );
  });

  test('a document that is no object', () => {
    expect(() => parseImagePolicy('[]')).toThrow(
      'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type imagepolicy.AdmissionConfig',
    );
  });
});
