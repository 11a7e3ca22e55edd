import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goFieldsOf, jsonNameOf } from '../../../src/kinds/validation/go-types.ts';
import { formatGo, formatGoQuantity } from '../../../src/kinds/validation/go-value.ts';

const quantity = (amount: string, text: string, format = 'DecimalSI'): string =>
  `resource.Quantity{i:resource.int64Amount{${amount}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${text}", Format:"${format}"}`;

describe('values as Go prints them', () => {
  it.each<[string, unknown, string]>([
    [
      'core.Toleration',
      { key: 'a', operator: 'Exists', tolerationSeconds: 3 },
      'core.Toleration{Key:"a", Operator:"Exists", Value:"", Effect:"", TolerationSeconds:(*int64)(0xc000000000)}',
    ],
    ['core.ResourceList', undefined, 'core.ResourceList(nil)'],
    ['core.ResourceList', {}, 'core.ResourceList{}'],
    ['[]networking.IngressRule', undefined, '[]networking.IngressRule(nil)'],
    ['[]networking.IngressRule', [], '[]networking.IngressRule{}'],
    ['[]byte', 'bm8=', '[]byte{0x6e, 0x6f}'],
    ['[]string', ['a', 'b"'], '[]string{"a", "b\\""}'],
    ['map[string]string', { b: 'x', a: 'y' }, 'map[string]string{"a":"y", "b":"x"}'],
    [
      'batch.SuccessPolicy',
      { rules: [{ succeededCount: 1 }] },
      'batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{batch.SuccessPolicyRule{SucceededIndexes:(*string)(nil), SucceededCount:(*int32)(0xc000000000)}}}',
    ],
    [
      'apps.StatefulSetUpdateStrategy',
      { type: 'X', rollingUpdate: {} },
      'apps.StatefulSetUpdateStrategy{Type:"X", RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(0xc000000000)}',
    ],
  ])('%s: %o', (type, value, expected) => expect(formatGo(type, value)).toBe(expected));

  it('prints the metadata of a template, and embedded types of its volumes', () => {
    const text = formatGo('core.PodTemplateSpec', {
      metadata: { labels: { a: 'b' } },
      spec: { volumes: [{ name: 'v', emptyDir: {} }], containers: [{ name: 'c', stdin: true }] },
    });
    expect(text).toContain('core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"", GenerateName:""');
    expect(text).toContain(
      'CreationTimestamp:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), DeletionTimestamp:<nil>, ',
    );
    expect(text).toContain(
      'Volumes:[]core.Volume{core.Volume{Name:"v", VolumeSource:core.VolumeSource{HostPath:(*core.HostPathVolumeSource)(nil), EmptyDir:(*core.EmptyDirVolumeSource)(0xc000000000)',
    );
    expect(text).toContain('InitContainers:[]core.Container(nil)');
    expect(text).toContain('Stdin:true, StdinOnce:false, TTY:false}');
  });

  it('ends soon after the characters that an error shows', () => {
    const tolerations = Array.from({ length: 50_000 }, () => ({ key: 'k'.repeat(50) }));
    expect(formatGo('[]core.Toleration', tolerations).length).toBeLessThan(17_000);
    expect(formatGo('core.Toleration', { key: 'k'.repeat(3_000_000) }).length).toBeLessThan(20_000);
  });

  it('takes members of any name as data', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (map) => {
        const text = formatGo('map[string]string', map);
        return text.startsWith('map[string]string{') && text.endsWith('}');
      }),
    ));
});

describe('quantities', () => {
  it.each([
    ['500m', quantity('value:500, scale:-3', '500m')],
    ['2', quantity('value:2, scale:0', '2')],
    ['1Gi', quantity('value:1073741824, scale:0', '1Gi', 'BinarySI')],
    ['100M', quantity('value:100, scale:6', '100M')],
    ['0', quantity('value:0, scale:0', '0', '')],
  ])('%s', (text, expected) => expect(formatGoQuantity(text)).toBe(expected));
});

describe('declarations', () => {
  it.each([
    ['SELinuxOptions', 'seLinuxOptions'],
    ['TTY', 'tty'],
    ['HostIP', 'hostIP'],
    ['GCEPersistentDisk', 'gcePersistentDisk'],
    ['Name', 'name'],
    ['UID', 'uid'],
  ])('the JSON name of %s is %s', (name, expected) => expect(jsonNameOf(name)).toBe(expected));

  it('declares each structure that another one holds by value', () => {
    const basic = /^(string|bool|int|v1\.Time|core\.ResourceList|types\.UID|map\[string\]string|\*.*)$/;
    const missing: string[] = [];
    const visit = (type: string, seen: Set<string>): void => {
      const element = type.replace(/^(\[\])+/, '');
      if (basic.test(element) || seen.has(element)) return;
      seen.add(element);
      const fields = goFieldsOf(element);
      if (fields === undefined) missing.push(element);
      else for (const field of fields) visit(field.type, seen);
    };
    for (const type of [
      'core.PodTemplateSpec',
      'resource.ResourceClaimTemplateSpec',
      'batch.PodFailurePolicy',
    ])
      visit(type, new Set());
    expect(missing).toEqual([]);
  });
});
