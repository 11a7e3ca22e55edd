import type { PersistentVolume } from '../../model/generated/core-v1.ts';
import { annotationOf } from '../../reconcile/volumes/annotations.ts';
import { deletionOf, isRecyclable, MIGRATED_TO } from './plugins.ts';
import { normal, type Report, warning } from './report.ts';
import { isSimulatedVolume } from './simulated-volume.ts';

/** What happens to a volume whose claim is gone. */
export type Reclaim =
  | { readonly does: 'nothing' }
  | { readonly does: 'report'; readonly report: Report }
  /** It is free for other claims. */
  | { readonly does: 'recycle'; readonly report: Report }
  | { readonly does: 'delete' }
  /** It enters the phase Failed; it is tried again. */
  | { readonly does: 'fail'; readonly report: Report };

export interface ReclaimView {
  /** Whether the storage of simulated drivers, and that on simulated nodes, can be changed. */
  readonly simulates: boolean;
  /** Pods that use the claim of the volume, `namespace/name`, if there is no claim of that name any more. */
  readonly users: readonly string[];
}

const NOTHING: Reclaim = { does: 'nothing' };

/** Decides by its reclaim policy what happens to a volume whose claim is gone. */
export function planReclaim(volume: PersistentVolume, view: ReclaimView): Reclaim {
  const { metadata, spec } = volume;
  if (annotationOf(metadata, MIGRATED_TO) !== undefined && !isSimulatedVolume(volume)) return NOTHING;
  switch (spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return NOTHING;
    case 'Recycle':
      return planRecycling(volume, view);
    case 'Delete':
      return planDeletion(volume, view);
    default:
      return {
        does: 'fail',
        report: warning(
          'VolumeUnknownReclaimPolicy',
          'Volume has unrecognized PersistentVolumeReclaimPolicy',
        ),
      };
  }
}

function planRecycling(volume: PersistentVolume, { simulates, users }: ReclaimView): Reclaim {
  if (users.length > 0)
    return {
      does: 'report',
      report: normal('VolumeFailedRecycle', `Volume is used by pods: ${users.join()}`),
    };
  if (simulates && isRecyclable(volume))
    return { does: 'recycle', report: normal('VolumeRecycled', 'Volume recycled') };
  return {
    does: 'fail',
    report: warning('VolumeFailedRecycle', 'No recycler plugin found for the volume!'),
  };
}

function planDeletion(volume: PersistentVolume, { simulates }: ReclaimView): Reclaim {
  if (isSimulatedVolume(volume)) return simulates ? { does: 'delete' } : NOTHING;
  const deletion = deletionOf(volume);
  if (deletion.by === 'driver') return NOTHING;
  if (deletion.by === 'controller') return { does: 'delete' };
  return { does: 'fail', report: warning('VolumeFailedDelete', deletion.problem) };
}
