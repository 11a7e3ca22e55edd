import { expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { created, updated } from '../run-strategy.ts';

const { csistoragecapacities, volumeattachments } = strategiesOf('storage.k8s.io');

it('takes empty and absent maps of immutable fields as equal', () => {
  const capacity = (nodeTopology: object) => ({ storageClassName: 'c', nodeTopology });
  const { object: old } = created(csistoragecapacities!, capacity({ matchLabels: {} }));
  expect(updated(csistoragecapacities!, capacity({}), old).errors).toEqual([]);
  expect(updated(csistoragecapacities!, capacity({ matchLabels: { a: 'b' } }), old).errors).toHaveLength(1);

  const attachment = (annotations: object) => ({
    spec: {
      attacher: 'a',
      nodeName: 'n',
      source: {
        inlineVolumeSpec: { nodeAffinity: {}, csi: { driver: 'a', volumeHandle: 'v', ...annotations } },
      },
    },
  });
  const { object: attached } = created(volumeattachments!, attachment({ volumeAttributes: {} }));
  expect(updated(volumeattachments!, attachment({}), attached).errors.join()).not.toContain('immutable');
});
