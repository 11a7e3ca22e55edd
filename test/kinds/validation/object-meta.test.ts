import { describe, expect, it } from 'vitest';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../../src/kinds/validation/object-meta.ts';
import { nameIsPathSegment } from '../../../src/model/name-syntax.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';

const create = (meta: Partial<ObjectMeta> | undefined, rules = {}): string[] =>
  validateObjectMeta(meta as ObjectMeta, { namespaced: true, ...rules }).map(formatFieldError);
const update = (meta: ObjectMeta, old: ObjectMeta, isWhole = false): string[] =>
  validateObjectMetaUpdate(meta, old, {
    namespaced: meta.namespace !== undefined,
    checks: isWhole ? ['change', 'whole'] : undefined,
  }).map(formatFieldError);
const named = { name: 'a', namespace: 'n' };

describe('metadata of a new object', () => {
  it('requires a name', () => {
    expect(create({ namespace: 'n' })).toEqual([
      'metadata.name: Required value: name or generateName is required',
    ]);
    expect(create(undefined, { namespaced: false })).toHaveLength(1);
    expect(create({ ...named, generateName: 'Gen_' })[0]).toMatch(
      /^metadata\.generateName: Invalid value: "Gen_": a lowercase RFC 1123 subdomain/,
    );
  });

  it('applies the name rule of the kind', () => {
    expect(create({ ...named, name: 'a:B' }, { validateName: nameIsPathSegment })).toEqual([]);
    expect(create({ ...named, name: 'a/b' }, { validateName: nameIsPathSegment })).toEqual([
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });

  it('requires a namespace for namespaced kinds only', () => {
    expect(create({ name: 'a' })).toEqual(['metadata.namespace: Required value']);
    expect(create(named, { namespaced: false })).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });

  it('accepts annotation keys in any case and limits their total size', () => {
    expect(create({ ...named, annotations: { 'Example.COM/Note': 'x' } })).toEqual([]);
    expect(create({ ...named, annotations: { a: 'x'.repeat(256 * 1024) } })).toEqual([
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ]);
  });

  it('validates labels named like Object.prototype members', () => {
    const labels = JSON.parse('{"__proto__":"b c","constructor":"ok"}') as Record<string, string>;
    expect(create({ ...named, labels })).toEqual([
      expect.stringMatching(/name part must consist/),
      expect.stringMatching(/^metadata\.labels: Invalid value: "b c": a valid label/),
    ]);
  });

  it('requires complete owner references and at most one controller', () => {
    expect(
      create({ ...named, ownerReferences: [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }] }),
    ).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ]);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1', controller: true };
    expect(create({ ...named, ownerReferences: [owner, { ...owner, uid: '2' }] })[0]).toMatch(
      /Only one reference can have Controller set to true\. Found "true" in references for ConfigMap\/x and ConfigMap\/x$/,
    );
    expect(
      create({ ...named, ownerReferences: [{ ...owner, kind: 'Event', controller: undefined }] as never })[0],
    ).toMatch(/\/v1, Kind=Event is disallowed from being an owner$/);
  });

  it('accepts the standard finalizers without a domain only', () => {
    expect(create({ ...named, finalizers: ['kubernetes', 'example.test/a'] })).toEqual([]);
    expect(create({ ...named, finalizers: ['cleanup'] })).toEqual([
      'metadata.finalizers[0]: Invalid value: "cleanup": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(create({ ...named, finalizers: ['cleanup'] }, { allowsUnqualifiedFinalizers: true })).toEqual([]);
    expect(create({ ...named, finalizers: ['orphan', 'foregroundDeletion'] })).toEqual([
      'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  it('validates managed fields', () => {
    expect(
      create({
        ...named,
        managedFields: [{ manager: 'a'.repeat(129), operation: 'Patch', fieldsType: 'FieldsV2' }],
      }),
    ).toEqual([
      'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
    ]);
    expect(create({ ...named, managedFields: [{ manager: 'a\u0000', operation: 'Apply' }] })[0]).toMatch(
      /invalid character U\+0000 \(at position 1\)$/,
    );
  });
});

describe('metadata of an update', () => {
  const old: ObjectMeta = {
    ...named,
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2020-01-01T00:00:00Z',
  };

  it('reports immutable fields twice, as kube-apiserver does', () => {
    expect(update({ ...old, uid: 'v' }, old)).toEqual(
      Array(2).fill('metadata.uid: Invalid value: "v": field is immutable'),
    );
    expect(update({ ...old, deletionTimestamp: '2001-02-03T04:05:06Z' }, old)).toEqual(
      Array(2).fill(
        'metadata.deletionTimestamp: Invalid value: 2001-02-03 04:05:06 +0000 UTC: field is immutable',
      ),
    );
  });

  it('allows removed finalizers of a deleted object, but no added ones', () => {
    const deleted = { ...old, deletionTimestamp: '2020-01-02T00:00:00Z', finalizers: ['example.test/a'] };
    expect(update({ ...deleted, finalizers: [] }, deleted)).toEqual([]);
    expect(update({ ...deleted, finalizers: ['example.test/a', 'example.test/b'] }, deleted)).toEqual(
      Array(2).fill(
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.test/b"}',
      ),
    );
  });

  it('rejects a decremented generation', () => {
    expect(update({ ...old, generation: 1 }, { ...old, generation: 2 })[0]).toBe(
      'metadata.generation: Invalid value: 1: must not be decremented',
    );
  });

  it('repeats errors as often as kube-apiserver does', () => {
    const count = (errors: string[], part: string): number =>
      errors.filter((text) => text.includes(part)).length;
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 's' } as never;
    expect(count(update({ ...named, ownerReferences: [owner] }, named), 'uid must not be empty')).toBe(3);
    expect(count(update({ ...named, ownerReferences: [owner] }, named, true), 'uid must not be empty')).toBe(
      4,
    );
    expect(count(update({ ...named, uid: 'b' }, { ...named, uid: 'a' }, true), 'field is immutable')).toBe(2);
    expect(count(update({ ...named, finalizers: ['cleanup'] }, named), 'neither a standard finalizer')).toBe(
      1,
    );
    expect(count(update({ ...named, finalizers: ['no good'] }, named), 'name part must consist')).toBe(1);
  });

  it('accepts finalizers without a domain for kinds that extend the API', () => {
    const rules = { namespaced: false, allowsUnqualifiedFinalizers: true };
    expect(validateObjectMetaUpdate({ name: 'a', finalizers: ['cleanup'] }, { name: 'a' }, rules)).toEqual(
      [],
    );
  });
});
