import { describe, expect, it } from 'vitest';
import { compileSelector, RequestLabels } from '../../../src/admission/matching/selectors.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { admissionRequest } from '../fixtures.ts';

const red = compileSelector({ matchLabels: { color: 'red' } });
const labelled = (color: string, name = 'x'): KubernetesObject => ({ metadata: { name, labels: { color } } });

describe('the namespace selector', () => {
  let lookups = 0;
  const labels = (request: ReturnType<typeof admissionRequest>, namespace?: KubernetesObject) => {
    lookups = 0;
    return new RequestLabels(request, () => {
      lookups++;
      return namespace;
    });
  };

  it('is judged by the labels of the namespace, read once', () => {
    const found = labels(admissionRequest('pods', labelled('blue')), labelled('red'));
    expect([found.matchesNamespace(red), found.matchesNamespace(red), lookups]).toEqual([true, true, 1]);
    expect(labels(admissionRequest('pods', {})).matchesNamespace(compileSelector({}))).toBe(true);
    expect(lookups).toBe(0);
  });

  it('is judged by the own labels of a namespace, by the stored ones when it is deleted', () => {
    const changes = { namespace: '', name: 'x' };
    const created = admissionRequest('namespaces', labelled('red'), changes);
    expect(labels(created, labelled('blue')).matchesNamespace(red)).toBe(true);
    const deleted = admissionRequest('namespaces', undefined, { ...changes, operation: 'DELETE' });
    expect(labels(deleted, labelled('blue')).matchesNamespace(red)).toBe(false);
    const status = admissionRequest('namespaces', labelled('red'), { ...changes, subresource: 'status' });
    expect(labels(status, labelled('blue')).matchesNamespace(red)).toBe(false);
  });

  it('matches other cluster-scoped objects, and fails for an absent namespace', () => {
    expect(labels(admissionRequest('nodes', {}, { namespace: '' })).matchesNamespace(red)).toBe(true);
    expect(() => labels(admissionRequest('pods', {})).matchesNamespace(red)).toThrow(
      'namespaces "n" not found',
    );
  });
});

describe('the object selector', () => {
  const matches = (changes: object, object?: KubernetesObject) =>
    new RequestLabels(admissionRequest('pods', object, changes), () => undefined).matchesObject(red);

  it('matches the new or the old object', () => {
    expect(matches({}, labelled('red'))).toBe(true);
    expect(matches({ oldObject: labelled('red') }, labelled('blue'))).toBe(true);
    expect(matches({ oldObject: labelled('red'), operation: 'DELETE' })).toBe(true);
    expect(matches({}, labelled('blue'))).toBe(false);
  });

  it('never matches the options of a connection, except when it is empty', () => {
    const absent = compileSelector({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] });
    const connect = admissionRequest('pods', {}, { operation: 'CONNECT' });
    const labels = new RequestLabels(connect, () => undefined);
    expect([labels.matchesObject(absent), labels.matchesObject(compileSelector(undefined))]).toEqual([
      false,
      true,
    ]);
    expect(matches({}, { metadata: {} })).toBe(false);
    const named = new RequestLabels(admissionRequest('pods', { metadata: {} }), () => undefined);
    expect(named.matchesObject(absent)).toBe(true);
  });

  it('matches nothing with an unknown operator', () => {
    const unknown = compileSelector({
      matchExpressions: [{ key: 'color', operator: 'Like', values: ['red'] }],
    });
    const request = admissionRequest('pods', labelled('red'));
    expect(new RequestLabels(request, () => undefined).matchesObject(unknown)).toBe(false);
  });
});
