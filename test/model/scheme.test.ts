import { describe, expect, test } from 'vitest';
import { allMessageTypes, findMessageType, kindType, messageType } from '../support/types.ts';

const field = (type: string, name: string) => messageType(type).byName.get(name)!;

describe('type model', () => {
  test('compiles every declaration and resolves every reference', () => {
    const types = allMessageTypes();
    expect(types.length).toBeGreaterThan(800);
    for (const type of types) {
      expect(findMessageType(type.name)).toBe(type);
      for (const member of type.fields) expect(member.type.scalar ?? member.type.message).toBeDefined();
      for (const member of type.jsonFields)
        if (member.unsetJson !== undefined) expect(() => JSON.parse(member.unsetJson!)).not.toThrow();
    }
  });

  test('protobuf numbers are unique and ascending', () => {
    for (const type of allMessageTypes()) {
      const numbers = type.fields.map(({ number }) => number).filter((number) => number > 0);
      expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
    }
  });

  test('list map keys and merge keys are members of the items', () => {
    const missing = allMessageTypes().flatMap((type) =>
      type.fields.flatMap(({ name, type: items, listMapKeys, patchMergeKey }) => {
        const keys = [...(listMapKeys ?? []), ...(patchMergeKey === undefined ? [] : [patchMergeKey])];
        return keys
          .filter((key) => items.message?.byName.has(key) !== true)
          .map((key) => `${type.name}.${name}: ${key}`);
      }),
    );
    // The reference does publish this list with a key that its items do not have.
    expect(new Set(missing)).toEqual(
      new Set(['storagemigration_v1alpha1.StorageVersionMigrationList.items: type']),
    );
  });

  test('returns undefined or throws for an unknown name', () => {
    expect(findMessageType('core_v1.Nothing')).toBeUndefined();
    expect(findMessageType('__proto__.constructor')).toBeUndefined();
    expect(() => messageType('core_v1.Nothing')).toThrow('core_v1.Nothing');
  });

  test('finds kinds by group and version', () => {
    expect(kindType('', 'v1', 'Pod')?.name).toBe('core_v1.Pod');
    expect(kindType('apps', 'v1', 'DeploymentList')?.name).toBe('apps_v1.DeploymentList');
    expect(kindType('', 'v1', 'Status')?.name).toBe('meta_v1.Status');
    expect(kindType('apps', 'v1', 'DeleteOptions')?.name).toBe('meta_v1.DeleteOptions');
    expect(kindType('apps', 'v1', 'WatchEvent')?.name).toBe('meta_v1.WatchEvent');
    expect(kindType('meta.k8s.io', 'v1beta1', 'Table')?.name).toBe('meta_v1.Table');
    expect(kindType('meta.k8s.io', 'v1beta1', 'PartialObjectMetadataList')?.name).toBe(
      'meta_v1beta1.PartialObjectMetadataList',
    );
    expect(kindType('apiserver.config.k8s.io', 'v1', 'WebhookAdmissionConfiguration')?.shortName).toBe(
      'WebhookAdmission',
    );
    expect(kindType('apps', 'v1', 'Status')).toBeUndefined();
    expect(kindType('', 'v1', 'PodSpec')).toBeUndefined();
    expect(kindType('example.com', 'v1', 'DeleteOptions')).toBeUndefined();
    expect(kindType('', 'v1', 'constructor')).toBeUndefined();
  });

  test('applies the declaration rules and their overrides', () => {
    expect(field('core_v1.Pod', 'status').unsetJson).toBe('{}');
    expect(field('apps_v1.Deployment', 'spec').unsetJson).toBe(
      '{"selector":null,"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":null}},"strategy":{}}',
    );
    expect(field('core_v1.Container', 'name')).toMatchObject({
      required: true,
      default: '',
      unsetJson: '""',
      writtenWhenUnset: true,
    });
    expect(field('core_v1.Container', 'image')).toMatchObject({
      required: false,
      default: undefined,
      unsetJson: undefined,
      writtenWhenUnset: true,
    });
    expect(field('core_v1.Container', 'ports')).toMatchObject({
      listMapKeys: ['containerPort', 'protocol'],
      patchMergeKey: 'containerPort',
      patchStrategy: 'merge',
    });
    expect(field('core_v1.PodSpec', 'volumes')).toMatchObject({
      patchStrategy: 'merge,retainKeys',
      patchMergeKey: 'name',
      listType: 'map',
    });
    expect(field('core_v1.PodSpec', 'activeDeadlineSeconds')).toMatchObject({
      pointer: true,
      writtenWhenUnset: false,
      unsetJson: undefined,
    });
    expect(field('core_v1.Event', 'eventTime').unsetJson).toBe('null');
    expect(field('certificates_v1.CertificateSigningRequestSpec', 'usages').itemsEnum).toContain(
      'ipsec end system',
    );
    expect(messageType('core_v1.AppArmorProfile').unions).toEqual([
      { discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } },
    ]);
  });

  test('places inline members in the outer object, in JSON order', () => {
    const volume = messageType('core_v1.Volume');
    expect(volume.fields.map(({ name }) => name)).toEqual(['name', 'volumeSource']);
    expect(volume.jsonFields[1]!.name).toBe('hostPath');
    expect(volume.byName.has('volumeSource')).toBe(false);
    expect(messageType('core_v1.Secret').jsonFields.map(({ name }) => name)).toEqual([
      'metadata',
      'immutable',
      'data',
      'stringData',
      'type',
    ]);
  });

  test('derives schema names from message names', () => {
    expect(messageType('core_v1.Pod')).toMatchObject({
      protobuf: 'k8s.io.api.core.v1.Pod',
      openapi: 'io.k8s.api.core.v1.Pod',
      typeMeta: true,
      kind: 'Pod',
    });
    expect(messageType('apiextensions_v1.JSONSchemaProps').openapi).toBe(
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    );
    expect(messageType('meta_v1.Table')).toMatchObject({ protobuf: undefined, openapi: undefined });
  });
});
