import { describe, expect, it } from 'vitest';
import type { PluginDeclaration, PluginOptions } from '../../../src/admission/plugins/declaration.ts';
import { deprecatedPlugins, isCalledFor } from '../../../src/admission/plugins/index.ts';
import { ADMISSION_PLUGINS } from '../../../src/admission/plugins/table.ts';
import { namesInTable } from '../../support/documents.ts';

const plugins: readonly PluginDeclaration[] = ADMISSION_PLUGINS;
/** The members that plugins read when they are created. */
const options = { eventLimits: [], limitedResources: [], imagePolicy: undefined } as unknown as PluginOptions;

describe('the table of admission plugins', () => {
  it('has each name once', () => expect(new Set(plugins.map(({ name }) => name)).size).toBe(plugins.length));

  it.each(plugins.filter(({ create }) => create))('$name is created with this name', ({ name, create }) =>
    expect(create!(options).name).toBe(name),
  );

  it('says for which operations a plugin is called', () => {
    expect(isCalledFor('NamespaceLifecycle', 'DELETE', 'admit')).toBe(true);
    expect(isCalledFor('NamespaceLifecycle', 'DELETE', 'validate')).toBe(false);
    expect(isCalledFor('toString', 'DELETE', 'validate')).toBe(false);
  });

  it('says which plugins are deprecated', () =>
    expect(deprecatedPlugins(['LimitRanger', 'AlwaysDeny', 'AlwaysAdmit'])).toEqual([
      'AlwaysDeny',
      'AlwaysAdmit',
    ]));

  it('agrees with docs/admission.md about the plugins that are off by default', () =>
    expect(namesInTable('docs/admission.md', '| Plugin | Does |').sort()).toEqual(
      plugins.flatMap(({ name, isDefault }) => (isDefault ? [] : [name])).sort(),
    ));
});
