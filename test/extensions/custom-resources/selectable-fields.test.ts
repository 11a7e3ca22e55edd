import { describe, expect, it } from 'vitest';
import { selectableFieldsOf } from '../../../src/extensions/custom-resources/selectable-fields.ts';

describe('selectable fields', () => {
  const fields = selectableFieldsOf({
    selectableFields: ['.spec.host', '.spec.port', '.spec.tls', '.status.phase', '.spec.constructor'].map(
      (jsonPath) => ({ jsonPath }),
    ),
  });

  it('are named by their path without the leading dot', () => {
    expect(Object.keys(fields)).toEqual([
      'spec.host',
      'spec.port',
      'spec.tls',
      'status.phase',
      'spec.constructor',
    ]);
    expect(Object.keys(selectableFieldsOf({}))).toEqual([]);
  });

  it.each([
    ['spec.host', { spec: { host: 'x,y=z\\' } }, 'x,y=z\\'],
    ['spec.port', { spec: { port: 0 } }, '0'],
    ['spec.port', { spec: { port: 9007199254740993n } }, '9007199254740993'],
    ['spec.tls', { spec: { tls: false } }, 'false'],
    ['spec.tls', { spec: {} }, ''],
    ['spec.host', { spec: { host: null } }, ''],
    ['spec.host', { spec: { host: {} } }, ''],
    ['spec.host', { spec: 'text' }, ''],
    ['status.phase', {}, ''],
    ['spec.constructor', { spec: {} }, ''],
  ])('%s of %o is %j', (label, object, text) => {
    expect(fields[label]!(object)).toBe(text);
  });
});
