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

/** Field numbers of `openapi.v3.Document` and its messages. */

const INFO: MessageTable = { fields: { title: [1, text], description: [2, text], version: [6, text] } };

const schema: FieldWriter = orReference([1, message(() => SCHEMA)], 2);

/** Only scalar defaults have an encoding; an empty object is omitted. */
const defaultValue: FieldWriter = (to, number, value) => {
  if (typeof value === 'string') to.delimited(number, () => to.text(3, value));
  else if (typeof value === 'boolean') to.delimited(number, () => to.flag(2, value));
  else if (typeof value === 'number') to.delimited(number, () => to.double(1, value));
};

const SCHEMA: MessageTable = {
  fields: {
    nullable: [1, flag],
    readOnly: [3, flag],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, flag],
    minimum: [13, double],
    exclusiveMinimum: [14, flag],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, text],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, flag],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, each(text)],
    enum: [24, each(any)],
    type: [25, text],
    allOf: [26, each(schema)],
    oneOf: [27, each(schema)],
    anyOf: [28, each(schema)],
    not: [29, message(() => SCHEMA)],
    items: [30, within(1, schema)],
    properties: [31, within(1, named(schema))],
    additionalProperties: [32, orFlag(schema)],
    default: [33, defaultValue],
    description: [34, text],
    format: [35, text],
  },
  extensions: 36,
};

const content: FieldWriter = within(1, named(within(1, schema)));
const PARAMETER: MessageTable = {
  fields: {
    name: [1, text],
    in: [2, text],
    description: [3, text],
    required: [4, flag],
    schema: [10, schema],
  },
};
const parameters: FieldWriter = each(orReference([1, message(() => PARAMETER)], 2));
const BODY: MessageTable = { fields: { description: [1, text], content: [2, content], required: [3, flag] } };
const RESPONSE: MessageTable = { fields: { description: [1, text], content: [3, content] } };
const OPERATION: MessageTable = {
  fields: {
    tags: [1, each(text)],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    parameters: [6, parameters],
    requestBody: [
      7,
      within(
        1,
        message(() => BODY),
      ),
    ],
    responses: [
      8,
      within(
        2,
        named(
          within(
            1,
            message(() => RESPONSE),
          ),
        ),
      ),
    ],
    deprecated: [10, flag],
  },
  extensions: 13,
};
const operation: FieldWriter = message(() => OPERATION);
const PATH_ITEM: MessageTable = {
  fields: {
    ...operationsFrom(4, operation),
    parameters: [13, parameters],
  },
};
const SECURITY_SCHEME: MessageTable = {
  fields: { type: [1, text], description: [2, text], name: [3, text], in: [4, text] },
};
const COMPONENTS: MessageTable = {
  fields: {
    schemas: [1, within(1, named(schema))],
    securitySchemes: [
      7,
      within(
        1,
        named(
          within(
            1,
            message(() => SECURITY_SCHEME),
          ),
        ),
      ),
    ],
  },
};

export const DOCUMENT_V3: MessageTable = {
  fields: {
    openapi: [1, text],
    info: [2, message(() => INFO)],
    paths: [4, within(1, named(message(() => PATH_ITEM)))],
    components: [5, message(() => COMPONENTS)],
  },
};
