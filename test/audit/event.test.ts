import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventJson, legacyLine } from '../../src/audit/event.ts';
import { event } from './events.ts';

/** A text after a UTF-8 round trip. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

describe('an audit event', () => {
  it('encodes ordered fields, microseconds, sorted annotations and escaped HTML', () => {
    const full = event({
      objectRef: {
        resource: 'pods',
        namespace: 'n',
        name: '',
        uid: '',
        apiGroup: '',
        apiVersion: 'v1',
        resourceVersion: '',
        subresource: 'status',
      },
      impersonatedUser: { name: 'kim', uid: '', groups: [], extra: new Map([['scope', ['a']]]) },
      requestObject: '{"a":1}',
      responseStatus: {
        status: 'Failure',
        message: 'a < b',
        reason: 'NotFound',
        details: { name: 'x' },
        code: 404,
      },
      annotations: new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
    });
    expect(eventJson(full, true)).toBe(
      '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-1","stage":"ResponseComplete","requestURI":"/api/v1/pods?limit=1\\u0026watch=1","verb":"list",' +
        '"user":{"username":"ivy","uid":"u","groups":["g","h"]},"impersonatedUser":{"username":"kim","extra":{"scope":["a"]}},"sourceIPs":["10.0.0.1"],"userAgent":"probe/1",' +
        '"objectRef":{"resource":"pods","namespace":"n","apiVersion":"v1","subresource":"status"},' +
        '"responseStatus":{"metadata":{},"status":"Failure","message":"a \\u003c b","reason":"NotFound","details":{"name":"x"},"code":404},"requestObject":{"a":1},' +
        '"requestReceivedTimestamp":"2026-01-02T03:04:05.006500Z","stageTimestamp":"2026-01-02T03:04:05.007000Z","annotations":{"a":"1","b":"2"}}',
    );
    expect(eventJson(event(), false)).toMatch(/^\{"level":/);
  });

  it('encodes an unknown user, and a line of the legacy format', () => {
    expect(JSON.parse(eventJson(event({ user: undefined }), true))).toMatchObject({ user: {} });
    expect(legacyLine(event())).toBe(
      '2026-01-02T03:04:05.006500Z AUDIT: id="id-1" stage="ResponseComplete" ip="10.0.0.1" method="list" user="ivy" groups="\\"g\\",\\"h\\"" as="<self>" asgroups="<lookup>" ' +
        'user-agent="probe/1" namespace="<none>" uri="/api/v1/pods?limit=1&watch=1" response="200"',
    );
  });

  it('is one line of valid JSON for arbitrary client input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, key) => {
        const line = eventJson(
          event({ userAgent: text, requestURI: text, annotations: new Map([[key, text]]) }),
          true,
        );
        expect(line).not.toMatch(/[\r\n]/);
        expect(JSON.parse(line).annotations).toEqual({ [wellFormed(key)]: wellFormed(text) });
        expect(legacyLine(event({ userAgent: text, requestURI: text }))).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
