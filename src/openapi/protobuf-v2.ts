import {
  any,
  double,
  each,
  type FieldWriter,
  flag,
  integer,
  type MessageTable,
  message,
  named,
  operationsFrom,
  orFlag,
  orReference,
  text,
  within,
} from './wire.ts';

/** Field numbers of `openapi.v2.Document` and its messages. */

const INFO: MessageTable = { fields: { title: [1, text], version: [2, text], description: [3, text] } };

const schema: FieldWriter = message(() => SCHEMA);
const SCHEMA: MessageTable = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, each(text)],
    enum: [20, each(any)],
    additionalProperties: [21, orFlag(schema)],
    type: [22, within(1, text)],
    items: [23, within(1, schema)],
    allOf: [24, each(schema)],
    properties: [25, within(1, named(schema))],
    readOnly: [27, flag],
  },
  extensions: 31,
};

const BODY: MessageTable = {
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schema],
  },
};
const QUERY: MessageTable = {
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  },
};
const PATH: MessageTable = {
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  },
};

const bodyParameter = message(() => BODY);
const pathParameter = message(() => PATH);
const queryParameter = message(() => QUERY);
const parameter: FieldWriter = (to, number, value) => {
  const where = (value as { in: string }).in;
  to.delimited(number, () => {
    if (where === 'body') bodyParameter(to, 1, value);
    else
      to.delimited(2, () => (where === 'path' ? pathParameter(to, 4, value) : queryParameter(to, 3, value)));
  });
};
const parameters: FieldWriter = each(orReference([1, parameter], 2));

const RESPONSE: MessageTable = { fields: { description: [1, text], schema: [2, within(1, schema)] } };
const OPERATION: MessageTable = {
  fields: {
    tags: [1, each(text)],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, parameters],
    responses: [
      9,
      within(
        1,
        named(
          within(
            1,
            message(() => RESPONSE),
          ),
        ),
      ),
    ],
    schemes: [10, each(text)],
    deprecated: [11, flag],
  },
  extensions: 13,
};
const operation: FieldWriter = message(() => OPERATION);
const PATH_ITEM: MessageTable = {
  fields: {
    ...operationsFrom(2, operation),
    parameters: [9, parameters],
  },
};
const API_KEY: MessageTable = {
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
};

export const DOCUMENT_V2: MessageTable = {
  fields: {
    swagger: [1, text],
    info: [2, message(() => INFO)],
    paths: [8, within(2, named(message(() => PATH_ITEM)))],
    definitions: [9, within(1, named(schema))],
    parameters: [10, within(1, named(parameter))],
    security: [12, each(within(1, named(within(1, each(text)))))],
    securityDefinitions: [
      13,
      within(
        1,
        named(
          within(
            2,
            message(() => API_KEY),
          ),
        ),
      ),
    ],
  },
};
