import { put } from '../../helpers/requests.mjs';

const maps = '/api/v1/namespaces/${ns}/configmaps';
const fields = {
  'an unknown type': { 'g:data': {} },
  'an unknown type below': { 'f:data': { 'g:a': {} } },
  'an unknown type beside': { 'f:data': { 'f:a': {}, 'x:y': { 'f:b': 5 } } },
  'null for a leaf': { 'f:data': { 'f:a': null } },
  'a member with content': { 'f:data': { '.': { 'f:a': 5 }, 'f:a': {} } },
  'no type': { data: {} },
  'a short name': { f: {} },
  'a number': { 'f:data': { 'f:a': 5 } },
  'a list': { 'f:data': [] },
  'bad keys': { 'f:data': { 'k:{"a"': {} } },
  'no keys': { 'f:data': { 'k:null': {}, 'k:[]': {} } },
  'keys out of order': { 'f:data': { 'k:{"b":1,"a":"x"}': {} } },
  indexes: { 'f:data': { 'i:3': {}, 'i:+4': {}, 'i:-1': {} } },
  'a bad index': { 'f:data': { 'i:x': {} } },
};

export default {
  title: 'Elements of types that only later versions know are left out of the owned fields',
  namespace: true,
  steps: Object.entries(fields).flatMap(([name, fieldsV1], index) => [
    put(`${name}`, `${maps}/m?fieldManager=w`, {
      metadata: {
        name: 'm',
        managedFields: [
          { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
          {
            manager: 'y',
            operation: 'Update',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:b': {} } },
          },
        ],
      },
      data: { a: '1', b: '2', c: String(index) },
    }),
  ]),
  setup: [{ method: 'POST', path: maps, body: { metadata: { name: 'm' }, data: { a: '1' } } }],
};
