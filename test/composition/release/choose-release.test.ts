import { expect, it } from 'vitest';
import { chooseRelease } from '../../../src/composition/release/choose-release.ts';
import { ConfigurationError } from '../../../src/errors/configuration-error.ts';
import type { Minor } from '../../../src/model/life.ts';

const choose = (written: string | undefined, asked: Minor | undefined) => () =>
  chooseRelease('data', written, asked);

it.each([
  [undefined, undefined, '1.32'],
  [undefined, '1.37', '1.37'],
  ['1.34', undefined, '1.34'],
  ['1.32', '1.37', '1.37'],
  ['1.34', '1.34', '1.34'],
  ['1.34', '1.33', '1.33'],
  ['1.38', '1.37', '1.37'],
  ['1.20', '1.32', '1.32'],
] as const)('data of %s, asked for %s, are served under %s', (written, asked, minor) => {
  expect(choose(written, asked)()).toBe(minor);
});

it.each([
  [
    '1.37',
    '1.35',
    'data was written under Kubernetes 1.37 and cannot be served under 1.35, since a downgrade goes back by one minor: start it with --kubernetes-version=1.36 first, or restore a backup that was written under 1.35',
  ],
  [
    '1.40',
    '1.37',
    'data was written under Kubernetes 1.40 and cannot be served under 1.37, since a downgrade goes back by one minor: use a newer version, or restore a backup that was written under 1.37',
  ],
  [
    '1.38',
    undefined,
    'data was written under Kubernetes 1.38, which this version does not serve: use a version that does, or start it with --kubernetes-version=1.37',
  ],
  [
    '1.40',
    undefined,
    'data was written under Kubernetes 1.40, which this version does not serve: use a newer version',
  ],
  [
    'x\ny',
    undefined,
    'the record of the Kubernetes version of data is damaged ("x\\ny"): write the minor version there that was served last, such as 1.32, or restore a backup',
  ],
] as const)('data of %s, asked for %s, are refused', (written, asked, message) => {
  expect(choose(written, asked)).toThrow(new ConfigurationError(message));
});
