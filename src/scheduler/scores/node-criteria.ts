import { unwantedTaints } from '../../reconcile/nodes/taints.ts';
import { BEST_SCORE, type Criterion, reversed, scaled } from './score.ts';

/** Fewer taints that the pod should rather avoid. */
export const fewUnwantedTaints: Criterion = ({ tolerations }, nodes) => {
  const relevant = tolerations.filter(({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule');
  return reversed(nodes.map(({ info }) => unwantedTaints(info!.taints, relevant)));
};

/** More weight of preferred node affinities. */
export const preferredAffinity: Criterion = ({ preferredNodes }, nodes) => {
  if (preferredNodes.length === 0) return undefined;
  return scaled(
    nodes.map((node) =>
      preferredNodes.reduce((sum, { weight, matches }) => (matches(node) ? sum + weight : sum), 0),
    ),
  );
};

const MEGABYTE = 1024 * 1024;
/** Images smaller than this say nothing. */
const LEAST_IMAGES = 23 * MEGABYTE;
/** Larger images of one container say no more. */
const MOST_IMAGE = 1000 * MEGABYTE;

/** More bytes of the pod's images that the node has; an image that few nodes have counts less. */
export const imageLocality: Criterion = ({ images }, nodes, { state }) => {
  const names = images.map(normalizedImageName);
  const most = MOST_IMAGE * names.length;
  return nodes.map(({ info }) => {
    let sum = 0;
    for (const name of names) {
      if (info!.images.size === 0 || !info!.images.has(name)) continue;
      const { size, nodes: count } = state.images.get(name)!;
      sum += Math.trunc(size * (count / state.nodes.length));
    }
    const counted = Math.min(Math.max(sum, LEAST_IMAGES), most);
    return Math.trunc((BEST_SCORE * (counted - LEAST_IMAGES)) / (most - LEAST_IMAGES));
  });
};

/** A name without a tag means `latest`. */
const normalizedImageName = (name: string): string =>
  name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
