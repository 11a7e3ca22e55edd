import { expect, it } from 'vitest';
import { PROXIED_PATH, sharedOption } from '../../src/openapi/parameters.ts';

it('names the shared parameters of connections by the kind of their options', () => {
  expect(sharedOption('PodExecOptions', 'command')).toBe('command-Py3eQybp');
  expect(sharedOption('PodAttachOptions', 'container')).not.toBe(sharedOption('PodExecOptions', 'container'));
  expect(sharedOption('PodLogOptions', 'sinceTime')).toBeUndefined();
  expect(sharedOption('constructor', 'name')).toBeUndefined();
  expect(PROXIED_PATH.shared).toBe('path-z6Ciiujn');
});
