import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/status/index.ts';
import { type Behaviour, converterServer, thing } from './converter-server.ts';
import { FAULTS, response } from './faults.ts';

const YAML: Behaviour = (review) => ({
  headers: { 'content-type': 'application/yaml' },
  body: `apiVersion: ${review.apiVersion}\nkind: ConversionReview\nresponse: {uid: ${review.request.uid}}\n`,
});

describe('faults of a conversion webhook', () => {
  const { state, create, webhook } = converterServer();
  const failure = async (converter = create()): Promise<ApiError> => {
    const error = await converter.convert([thing('v1', 'one')], 'example.com/v2').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  };
  const message = async (converter = create()): Promise<string> =>
    (await failure(converter)).message
      .replace(state.url, '<url>')
      .replace(/"uid-\d+"/, '"<uid>"')
      .replace('conversion webhook for example.com/v1, Kind=Thing', '');

  it.each(Object.entries(FAULTS))('%s', async (_, [behaviour, text]) => {
    state.behaviour = behaviour;
    expect(await message()).toBe(text);
  });

  it.each([
    [null, 'unexpected end of JSON input'],
    ['x', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    [{ metadata: {} }, `Object 'Kind' is missing in '{"metadata":{}}'`],
  ])('object %j, without a subject in the message', async (object, text) => {
    state.behaviour = response((r) => {
      r.convertedObjects = [object];
    });
    expect((await failure()).message).toBe(text);
  });

  it('answers 500 without a reason', async () => {
    state.behaviour = FAULTS['wrong uid']![0];
    expect((await failure()).toStatus()).toMatchObject({ code: 500, status: 'Failure', metadata: {} });
    expect((await failure()).toStatus()).not.toHaveProperty('reason');
  });

  it('parses YAML', async () => {
    state.behaviour = YAML;
    expect(await message()).toBe(" failed: response.result.status was '', not 'Success'");
  });

  it('certificate that is not trusted', async () => {
    const converter = create({ webhook: webhook({ caBundle: undefined }) });
    expect(await message(converter)).toBe(
      ' failed: Post "<url>/convert?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  });

  it('Service that is not there', async () => {
    const clientConfig = { service: { namespace: 'default', name: 'absent', path: '/x/' } };
    const converter = create({ webhook: { clientConfig, conversionReviewVersions: ['v1'] } });
    expect(await message(converter)).toBe(
      ' failed: Post "https://absent.default.svc:443/x?timeout=30s": service "absent" not found',
    );
  });

  it.each([
    [['v9'], 'no supported conversion review versions'],
    [[], 'no supported conversion review versions'],
  ])('review versions %j', async (versions, text) => {
    expect(await message(create({ webhook: webhook({}, versions) }))).toBe(text);
  });

  it('invalid URL', async () => {
    expect(await message(create({ webhook: webhook({ url: 'nonsense' }) }))).toBe(' failed: Invalid URL');
  });

  it('names the object of a list', async () => {
    state.behaviour = response((r) => {
      r.convertedObjects[1] = 'x';
    });
    const list = [thing('v1', 'a'), thing('v2', 'b'), thing('v1', 'c')];
    await expect(create().convert(list, 'example.com/v2')).rejects.toThrow(
      'conversion webhook for example.com/v1, Kind=Thing returned invalid object at index 2: json: cannot unmarshal string',
    );
  });
});
