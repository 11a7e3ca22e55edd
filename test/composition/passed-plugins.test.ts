import { expect, it } from 'vitest';
import { measurePassedPlugins } from '../../src/composition/passed-plugins.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';

it('counts plugins that the reference calls, once per pass, also in a metric that is reset', async () => {
  const metrics = createServerMetrics();
  const passed = measurePassedPlugins(metrics);
  expect(passed('DELETE', 'validate', ['ResourceQuota', 'NodeRestriction'])).toBeUndefined();
  expect(passed('CREATE', 'admit', ['Unknown'])).toBeUndefined();
  const counter = passed('CREATE', 'admit', ['Priority', 'ResourceQuota', 'RuntimeClass'])!;
  expect(passed('CREATE', 'admit', ['Priority', 'PodSecurity', 'RuntimeClass'])).toBe(counter);
  counter.count += 3;
  const shown = async () =>
    (await exposition(metrics.registry))
      .split('\n')
      .filter((line) => /^apiserver_admission_controller_.*_count/.test(line))
      .map((line) => line.replace(/^.*name="(\w+)",operation="(\w+)",.*type="(\w+)"\} /, '$1 $2 $3 '));
  expect(await shown()).toEqual(['Priority CREATE admit 3', 'RuntimeClass CREATE admit 3']);
  counter.count += 1;
  expect(await shown()).toEqual(['Priority CREATE admit 4', 'RuntimeClass CREATE admit 4']);
  counter.count += 1;
  metrics.registry.reset();
  expect(await shown()).toEqual([]);
});
