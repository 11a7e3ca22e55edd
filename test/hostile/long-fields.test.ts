import { describe, expect, it } from 'vitest';
import { conflictError } from '../../src/apply/conflicts.ts';
import { fieldSetOf } from '../../src/apply/field-set-builder.ts';
import type { Manager } from '../../src/apply/managed.ts';
import { fieldElement } from '../../src/apply/path-element.ts';
import { patternError } from '../../src/kinds/apiextensions/pattern-error.ts';
import { timeZoneErrors } from '../../src/kinds/batch/time-zone.ts';
import { secretStrategy } from '../../src/kinds/core/secret.ts';
import { serviceWarnings } from '../../src/kinds/core/services/service-warnings.ts';
import { roundResourceList } from '../../src/kinds/validation/quantities.ts';
import { validateResourceRequirements } from '../../src/kinds/validation/resources.ts';
import { parseLabelSelector } from '../../src/model/label-selector.ts';
import { parseQuantity, QuantityError } from '../../src/model/quantity.ts';
import { Query } from '../../src/request/query.ts';
import { isValid } from '../../src/status/field-error.ts';
import { replay } from '../../src/steps/replay.ts';
import { contextOf, errorsOf } from '../kinds/run-strategy.ts';
import { cronJobStrategy } from '../support/builtin-resources.ts';

const BYTES = 2_800_000;
/** Maximum characters of an error about one value. */
const ERROR_CHARACTERS = 34_000;

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const cronJob = (change: object) => ({
  spec: { schedule: '* * * * *', jobTemplate: { spec: { template } }, ...change },
});

describe('fields as long as a body', () => {
  it.each([
    `@every ${'1h'.repeat(BYTES / 2)}`,
    `${'1,'.repeat(BYTES / 2)}1 * * * *`,
    ' '.repeat(BYTES),
    '* '.repeat(BYTES / 2),
  ])('refuses a long schedule without reading it', (schedule) => {
    expect(errorsOf(cronJobStrategy, cronJob({ schedule }))).toEqual([
      'spec.schedule: Too long: may not be more than 4096 bytes',
    ]);
  });

  it.each(['A'.repeat(BYTES), 'Europe/'.repeat(BYTES / 7)])('knows no time zone with a long name', (zone) => {
    const [error, ...others] = timeZoneErrors(zone);
    expect(others).toEqual([]);
    expect(error!.startsWith('unknown time zone ')).toBe(true);
    expect(error!.length).toBeLessThan(ERROR_CHARACTERS);
    const [refused] = errorsOf(cronJobStrategy, cronJob({ timeZone: zone }));
    expect(refused!.length).toBeLessThan(ERROR_CHARACTERS);
  });

  it('counts the parts of the JSON of a secret', () => {
    const secret = (keys: number): object => {
      const text = JSON.stringify(
        Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1])),
      );
      const data = { '.dockerconfigjson': Buffer.from(text).toString('base64') };
      return { type: 'kubernetes.io/dockerconfigjson', data };
    };
    expect(errorsOf(secretStrategy, secret(45_000))).toEqual([]);
    expect(errorsOf(secretStrategy, secret(60_000))).toEqual([
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: the document has more than 100000 members and items',
    ]);
  });

  it('bounds the digits of a quantity', () => {
    expect(parseQuantity('1'.repeat(128)).unscaled).toBe(BigInt('1'.repeat(128)));
    expect(() => parseQuantity('1'.repeat(129))).toThrow(QuantityError);
  });

  it('bounds the length of a pattern', () => {
    expect(patternError('a'.repeat(65_536))).toBeUndefined();
    expect(patternError('a'.repeat(65_537))).toBe('error parsing regexp: expression too large');
  });

  it('bounds the number of query parameters', () => {
    const query = (count: number) =>
      new Query(Array.from({ length: count }, (_, at) => `a${at}=b`).join('&'));
    expect([query(10_000).exceedsMaximum, query(10_000).get('a9999')]).toEqual([false, 'b']);
    expect([query(10_001).exceedsMaximum, query(10_001).empty]).toEqual([true, true]);
  });

  it('names the first of very many conflicts', () => {
    const fields = fieldSetOf(
      ...Array.from({ length: 5000 }, (_, index) => [
        fieldElement('data'),
        fieldElement(`k${String(index).padStart(5, '0')}`),
      ]),
    );
    const manager = (name: string): Manager => ({
      name,
      operation: 'Update',
      apiVersion: 'v1',
      subresource: '',
      fields,
      time: undefined,
    });
    const error = conflictError([
      { manager: manager('b'), fields },
      { manager: manager('a'), fields },
    ]);
    expect(error.message.split('\n').length).toBe(1002);
    expect(error.message).toMatch(
      /^Apply failed with 10000 conflicts: conflicts with "a" using v1:\n- \.data\.k00000\n/,
    );
    expect(error.message).toMatch(/\n- \.data\.k00999\n- and 9000 more$/);
    expect(error.details!.causes).toHaveLength(1000);
  });

  it('looks for warnings about very many addresses in steps', () => {
    const externalIPs = Array.from({ length: 90_000 }, (_, index) => `10.0.0.${index % 256}`);
    externalIPs.push('010.0.0.1');
    const service = { spec: { externalIPs } };
    const steps = replay(() => serviceWarnings(service, contextOf()));
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(10);
    expect(step.value).toEqual([expect.stringContaining('spec.externalIPs[90000]: IP address was accepted')]);
  });

  it('checks very many amounts of a container in steps', () => {
    const limits = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`A_${index}`, '1']));
    const steps = replay(() => isValid(() => validateResourceRequirements({ limits }, 'resources')));
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(10);
    expect(step.value).toBe(false);
  });

  it('finds no more warnings than a response can have', () => {
    const externalIPs = Array.from({ length: 90_000 }, () => '010.0.0.1');
    const service = { spec: { externalIPs } };
    expect(serviceWarnings(service, contextOf())).toHaveLength(256);
    const steps = replay(() => serviceWarnings(service, contextOf()), 64);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value.length).toBeLessThan(512);
  });
});

it.each([
  ['1.5', '1.5'],
  ['1.0005', '1001m'],
  ['1.5m', '2m'],
  ['1n', '1m'],
  ['1e-4', '1e-3'],
  ['1e20', '1e20'],
  ['2E', '2E'],
  ['0.5Ki', '0.5Ki'],
])('rounds the quantity %s up to thousandths: %s', (text, expected) => {
  const list: Record<string, string> = { cpu: text };
  roundResourceList(list);
  expect(list['cpu']).toBe(expected);
});

it('names the first of very many wrong values of a selector', () => {
  const values = Array.from({ length: 9000 }, (_, index) => `-${index}`);
  const message = (() => {
    try {
      parseLabelSelector(`a in (${values.join()})`);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message.match(/Invalid value/g)).toHaveLength(1000);
});
