import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { literalsOf } from '../../src/codec/number-literals.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import {
  applyJsonPatch as applyJsonPatchInSteps,
  applyMergePatch as applyMergePatchInSteps,
  keepMergedLiterals,
  keepPatchedLiterals,
} from '../../src/patch/index.ts';
import { atOnce } from '../support/at-once.ts';
import { messageType } from '../support/types.ts';

const applyJsonPatch = atOnce(applyJsonPatchInSteps);
const applyMergePatch = atOnce(applyMergePatchInSteps);

const parse = (text: string): unknown => parseJson(Buffer.from(text)).value;
const deployment = () => parse('{"spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"c"}]}}}}');
const decode = (plain: unknown) =>
  fromPlain(messageType('apps_v1.Deployment'), plain).value as {
    spec: { replicas: number; template: never };
  };

const merge = (text: string) => {
  const patch = parse(text);
  return keepMergedLiterals(patch, applyMergePatch(deployment(), patch));
};
const json = (text: string) => {
  const patch = parse(text);
  return keepPatchedLiterals(patch, applyJsonPatch(deployment(), patch));
};

describe('numbers of patches', () => {
  it.each(['5.0', '1e3', '5e0'])('keep their literals: %s is not an integer', (written) => {
    const message = `json: cannot unmarshal number ${written} into Go struct field DeploymentSpec.spec.replicas of type int32`;
    expect(() => decode(merge(`{"spec":{"replicas":${written}}}`))).toThrow(message);
    expect(() => decode(json(`[{"op":"replace","path":"/spec/replicas","value":${written}}]`))).toThrow(
      message,
    );
    expect(() => decode(json(`[{"op":"add","path":"/spec","value":{"replicas":${written}}}]`))).toThrow(
      message,
    );
  });

  it('are kept in quantities', () => {
    const containers = (memory: string) => `[{"name":"c","resources":{"limits":{"memory":${memory}}}}]`;
    const memoryOf = (plain: unknown) =>
      (
        decode(plain).spec.template as {
          spec: { containers: { resources: { limits: { memory: string } } }[] };
        }
      ).spec.containers[0]!.resources.limits.memory;
    expect(memoryOf(merge(`{"spec":{"template":{"spec":{"containers":${containers('1e3')}}}}}`))).toBe('1e3');
    expect(
      memoryOf(
        json(
          `[{"op":"add","path":"/spec/template/spec/containers/0/resources","value":{"limits":{"memory":1e3}}}]`,
        ),
      ),
    ).toBe('1e3');
    expect(
      memoryOf(
        json(`[{"op":"replace","path":"/spec/template/spec/containers","value":${containers('1e3')}}]`),
      ),
    ).toBe('1e3');
  });

  it('are dropped when another operation replaces the value', () => {
    const replaced = json(
      '[{"op":"replace","path":"/spec/replicas","value":5.0},{"op":"replace","path":"/spec/replicas","value":6}]',
    );
    expect(decode(replaced).spec.replicas).toBe(6);
    expect(decode(merge('{"spec":{"replicas":7}}')).spec.replicas).toBe(7);
    expect(literalsOf(merge('{"spec":{"replicas":7}}'))).toBeUndefined();
  });
});
