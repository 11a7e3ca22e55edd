import { describe, expect, it } from 'vitest';
import { ipFamily } from '../../../src/kinds/validation/addresses.ts';
import {
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from '../../../src/kinds/validation/fields.ts';
import {
  countOrPercent,
  validateAtMostHundredPercent,
  validateIntOrPercent,
} from '../../../src/kinds/validation/int-or-percent.ts';
import { isUsableSelector, validateLabelSelector } from '../../../src/kinds/validation/labels.ts';
import { roundResourceList } from '../../../src/kinds/validation/quantities.ts';
import { validateResourceRequirements } from '../../../src/kinds/validation/resources.ts';
import { semanticEqual } from '../../../src/kinds/validation/semantic-equal.ts';
import { RawJson } from '../../../src/model/object.ts';
import { formatLabelSelector, labelSelectorMatches } from '../../../src/model/object-label-selector.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';
import { messageType } from '../../support/types.ts';

const texts = (errors: Parameters<typeof formatFieldError>[0][]): string[] => errors.map(formatFieldError);

describe('semantic equality', () => {
  const spec = messageType('core_v1.PodSpec');

  it('equates zero and absence of plain members, but not of pointers', () => {
    expect(semanticEqual({ hostNetwork: false, nodeName: '' }, {}, spec)).toBe(true);
    expect(semanticEqual({ automountServiceAccountToken: false }, {}, spec)).toBe(false);
    expect(semanticEqual({ securityContext: {} }, {}, spec)).toBe(false);
    expect(
      semanticEqual({ containers: [{ name: 'c', resources: {} }] }, { containers: [{ name: 'c' }] }, spec),
    ).toBe(true);
    const capacity = messageType('resource_v1beta1.DeviceCapacity');
    expect(semanticEqual({ value: '0' }, {}, capacity)).toBe(true);
    expect(semanticEqual({ value: '1' }, {}, capacity)).toBe(false);
  });

  it('equates empty and absent lists and maps', () => {
    expect(semanticEqual({ volumes: [], nodeSelector: {} }, {}, spec)).toBe(true);
    expect(semanticEqual({ nodeSelector: { a: '' } }, {}, spec)).toBe(false);
  });

  it('compares quantities by amount, numbers by value, free JSON by text', () => {
    const resources = messageType('core_v1.ResourceRequirements');
    expect(semanticEqual({ limits: { cpu: '1' } }, { limits: { cpu: '1000m' } }, resources)).toBe(true);
    expect(semanticEqual({ limits: { cpu: '1' } }, { limits: { cpu: '1001m' } }, resources)).toBe(false);
    expect(semanticEqual({ a: 5n }, { a: 5 })).toBe(true);
    expect(semanticEqual(new RawJson('{"a":1}'), new RawJson('{"a":1}'))).toBe(true);
    expect(semanticEqual(new RawJson('{"a":1}'), { text: '{"a":1}' })).toBe(false);
  });
});

describe('label selectors', () => {
  const selector = {
    matchLabels: { a: 'b' },
    matchExpressions: [
      { key: 'x', operator: 'In', values: ['z', 'y'] },
      { key: 'n', operator: 'DoesNotExist' },
    ],
  };

  it('matches when all requirements match', () => {
    expect(labelSelectorMatches(selector, { a: 'b', x: 'y' })).toBe(true);
    expect(labelSelectorMatches(selector, { a: 'b', x: 'y', n: '' })).toBe(false);
    expect(labelSelectorMatches(undefined, {})).toBe(false);
    expect(labelSelectorMatches({}, undefined)).toBe(true);
    expect(labelSelectorMatches({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {})).toBe(
      false,
    );
  });

  it('formats selectors in the order of their keys', () => {
    expect(formatLabelSelector(selector)).toBe('a=b,!n,x in (y,z)');
  });

  it('reports the errors of each requirement', () => {
    const wrong = {
      matchExpressions: [
        { key: 'a', operator: 'Like' },
        { key: 'b', operator: 'In' },
        { key: 'c', operator: 'Exists', values: ['x'] },
      ],
    };
    expect(isUsableSelector(wrong)).toBe(false);
    expect(texts(validateLabelSelector(wrong, 's'))).toEqual([
      's.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
      "s.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "s.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['10.1.2.3', 'IPv4'],
    ['010.1.2.3', 'IPv4'],
    ['2001:db8::1', 'IPv6'],
    ['::ffff:10.0.0.1', 'IPv4'],
    ['::ffff:a00:1', 'IPv4'],
    ['fe80::1%eth0', undefined],
    ['1.2.3', undefined],
    ['256.1.1.1', undefined],
    ['', undefined],
  ] as const)('%s is of family %s', (text, family) => {
    expect(ipFamily(text)).toBe(family);
  });
});

describe('counts, percentages and dotted names', () => {
  it('parses counts and percentages', () => {
    expect([
      countOrPercent(3),
      countOrPercent('25%'),
      countOrPercent('x'),
      countOrPercent(undefined),
    ]).toEqual([3, 25, 0, 0]);
    expect(texts(validateIntOrPercent('x', 'f'))[0]).toMatch(
      /a valid percent string must be a numeric string followed by an ending '%' \(e\.g\. '1%', {2}or '93%', regex used for validation is '\[0-9\]\+%'\)$/,
    );
    expect(texts(validateIntOrPercent(-1, 'f'))).toEqual([
      'f: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(validateAtMostHundredPercent('101%', 'f')).toHaveLength(1);
  });

  it('requires enough labels in dotted names', () => {
    expect(validateFullyQualifiedName('a.b.c', 'f')).toEqual([]);
    expect(texts(validateFullyQualifiedName('a.b', 'f'))).toEqual([
      'f: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ]);
    expect(validateFullyQualifiedDomainName('a.b.', 'f')).toEqual([]);
    expect(texts(validateDomainPrefixedPath('plain', 'f'))).toEqual([
      'f: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")',
    ]);
    expect(validateDomainPrefixedPath('acme.io/foo/bar', 'f')).toEqual([]);
  });
});

describe('resources', () => {
  it('rounds up to thousandths', () => {
    const list = { cpu: '100u', memory: '1Gi', a: '0.0001', b: '1500m' };
    roundResourceList(list);
    expect(list).toEqual({ cpu: '1m', memory: '1Gi', a: '1m', b: '1500m' });
  });

  it('compares requests with limits', () => {
    expect(
      texts(validateResourceRequirements({ requests: { cpu: '2' }, limits: { cpu: '1' } }, 'r')),
    ).toEqual(['r.requests: Invalid value: "2": must be less than or equal to cpu limit of 1']);
    expect(texts(validateResourceRequirements({ requests: { 'example.com/gpu': '1' } }, 'r'))).toEqual([
      'r.limits: Required value: Limit must be set for non overcommitable resources',
    ]);
    expect(
      texts(
        validateResourceRequirements(
          { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } },
          'r',
        ),
      ),
    ).toEqual(['r.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2']);
  });

  it('validates resource names', () => {
    expect(texts(validateResourceRequirements({ limits: { widget: '1' } }, 'r'))).toEqual([
      'r.limits[widget]: Invalid value: widget: must be a standard resource type or fully qualified',
      'r.limits[widget]: Invalid value: widget: must be a standard resource for containers',
    ]);
    expect(texts(validateResourceRequirements({ limits: { cpu: '1', pods: '1' } }, 'r'))).toEqual([
      'r.limits[pods]: Invalid value: pods: must be a standard resource for containers',
    ]);
  });

  it('requires multiples of the page size, and cpu or memory with huge pages', () => {
    expect(
      texts(
        validateResourceRequirements(
          { limits: { 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } },
          'r',
        ),
      ),
    ).toEqual(['r: Forbidden: HugePages require cpu or memory']);
    expect(
      texts(validateResourceRequirements({ limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } }, 'r')),
    ).toEqual([
      'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ]);
  });
});
