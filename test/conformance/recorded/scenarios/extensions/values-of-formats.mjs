import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';

const path = '/apis/formats.example.com/v1/namespaces/default/values';
const properties = {
  text: { type: 'string', format: 'nonsense' },
  bytes: { type: 'integer', format: 'byte' },
  moment: { type: 'string', format: 'date-time' },
  id4: { type: 'string', format: 'uuid4' },
  isbn: { type: 'string', format: 'isbn10' },
  card: { type: 'string', format: 'creditcard' },
  ssn: { type: 'string', format: 'ssn' },
  color: { type: 'string', format: 'rgbcolor' },
  choice: { type: 'number', enum: [1, 2.5] },
  letter: { type: 'string', enum: ['a'] },
  closed: { type: 'object', additionalProperties: false },
  list: { type: 'string', format: 'date' },
};
const values = definition(
  'formats.example.com',
  'Namespaced',
  { plural: 'values', kind: 'Value' },
  version('v1', specOf({ type: 'object', properties })),
);
const VALUES = {
  text: [5, 'x'],
  bytes: [1, 1.5, 'x', true],
  moment: ['2020-01-01T00:00:00,5Z', '2020-01-01T00:00:00+0100', '2020-01-01T00:00:00Zt'],
  id4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-c456-426614174000'],
  isbn: ['080442957X', '080442957x'],
  card: ['4111 1111 1111 1111', '1234567890123452'],
  ssn: ['123-45-6789', '123456789'],
  color: ['rgb( 1, 2 ,255)', 'rgb(01,2,3)'],
  choice: [1.5, 3.5, 2.5],
  letter: [97, 98],
  closed: [{}, { a: 1 }],
  list: [[], {}, 5],
};

export default {
  title: 'Formats at their edges, enumerations with values of another type, members that are not allowed',
  profile: 'extensions',
  setup: [{ method: 'POST', path: CRDS, body: values }, untilServed(path)],
  steps: Object.entries(VALUES).flatMap(([name, values]) =>
    values.map((value) => ({
      name: `${name}: ${JSON.stringify(value)}`,
      method: 'POST',
      path: `${path}?dryRun=All`,
      body: {
        apiVersion: 'formats.example.com/v1',
        kind: 'Value',
        metadata: { name: 'v' },
        spec: { [name]: value },
      },
    })),
  ),
};
