import { describe, expect, it } from 'vitest';
import { readingSwagger } from '../../../src/extensions/aggregation/swagger.ts';
import { runInBackground } from '../../../src/steps/run.ts';

const swaggerPart = (document: unknown, prefixes: readonly string[]) =>
  runInBackground(readingSwagger(document, prefixes));
const reference = (name: string) => ({ schema: { $ref: `#/definitions/${name}` } });

describe('the part of a Swagger document', () => {
  it('has the paths of registered versions without what only other paths use', async () => {
    const document = {
      swagger: '2.0',
      paths: {
        '/apis/g.test/v1': { get: {} },
        '/apis/g.test/v1/things': { get: reference('Thing') },
        '/apis/g.test/v10/things': { get: reference('Other') },
        '/version': { get: reference('Info') },
      },
      definitions: {
        Thing: {
          properties: { spec: { $ref: '#/definitions/Spec' }, self: { $ref: '#/definitions/Thing' } },
        },
        Spec: { type: 'object' },
        Other: { properties: { spec: { $ref: '#/definitions/Spec' }, info: reference('Info') } },
        Info: { type: 'object' },
        Unused: { type: 'object' },
      },
      parameters: { shared: { name: 'x' } },
    };
    const part = (await swaggerPart(document, ['/apis/g.test/v1']))!;
    expect(Object.keys(part.paths)).toEqual(['/apis/g.test/v1', '/apis/g.test/v1/things']);
    expect(Object.keys(part.definitions)).toEqual(['Thing', 'Spec', 'Unused']);
    expect(part.parameters).toEqual({ shared: { name: 'x' } });
  });

  it('is undefined for other documents, and ignores members that are no objects', async () => {
    for (const document of [undefined, null, 1, [], {}, { swagger: '3.0' }])
      expect(await swaggerPart(document, [])).toBeUndefined();
    const hostile = JSON.parse(
      '{"swagger":"2.0","paths":{"/apis/g/v1":{"$ref":"#/definitions/__proto__"},"/apis/g/v1/x":1},"definitions":{"__proto__":{"type":"object"}}}',
    );
    expect(Object.keys((await swaggerPart(hostile, ['/apis/g/v1']))!.definitions)).toEqual(['__proto__']);
  });
});
