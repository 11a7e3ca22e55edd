import { describe, expect, it } from 'vitest';
import type { PluginDeclaration, PluginOptions } from '../../../src/admission/plugins/declaration.ts';
import { createPlugins, deprecatedPlugins, isCalledFor } from '../../../src/admission/plugins/index.ts';
import { ADMISSION_PLUGINS } from '../../../src/admission/plugins/table.ts';
import { schemeOf } from '../../../src/model/scheme.ts';

const plugins: readonly PluginDeclaration[] = ADMISSION_PLUGINS;
const PHASES = ['admit', 'validate'] as const;
/** The members that plugins read when they are created. */
const options = {
  eventLimits: [],
  limitedResources: [],
  imagePolicy: undefined,
  scheme: schemeOf(),
} as unknown as PluginOptions;

describe('the table of admission plugins', () => {
  it('has each name once', () => expect(new Set(plugins.map(({ name }) => name)).size).toBe(plugins.length));

  it.each(plugins.filter(({ create }) => create))(
    '$name has the phases that it declares',
    ({ name, create, operations }) => {
      const plugin = create!(options);
      // It ignores every resource.
      if (name === 'AlwaysAdmit') return expect(plugin.handles('CREATE', '', 'pods', '')).toBe(false);
      expect(PHASES.filter((phase) => plugin[phase] !== undefined)).toEqual(
        PHASES.filter((phase) => operations[phase] !== undefined),
      );
    },
  );

  it('names the plugins that it creates', () =>
    expect(createPlugins(['AlwaysDeny', 'Unknown', 'LimitRanger'], options).map(({ name }) => name)).toEqual([
      'AlwaysDeny',
      'LimitRanger',
    ]));

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
});
