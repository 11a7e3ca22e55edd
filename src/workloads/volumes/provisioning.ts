import type { PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import {
  annotationOf,
  SELECTED_NODE,
  storageClassOf,
  withAnnotations,
} from '../../reconcile/volumes/annotations.ts';
import { driverOf, HOST_PATH, isInTree, MIGRATED_TO, noProvisioner } from './plugins.ts';
import { normal, type Report, warning } from './report.ts';
import { isSimulated, simulatedError } from './simulated-volume.ts';

/** On a claim: what is to make a volume for it. */
const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const BETA_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';

const FAILED = 'ProvisioningFailed';

/** How a claim without a volume gets one. */
export type Provisioning =
  | { readonly does: 'nothing' }
  | { readonly does: 'report'; readonly report: Report }
  /** The claim is written first, if it has changed. */
  | { readonly does: 'ask'; readonly claim: PersistentVolumeClaim; readonly report: Report }
  | { readonly does: 'make'; readonly claim: PersistentVolumeClaim; readonly storageClass: StorageClass };

export interface ProvisioningSettings {
  /** Whether volumes are made for claims at all. */
  readonly provisions: boolean;
  /** Whether those of simulated drivers are. */
  readonly simulates: boolean;
}

/**
 * Decides who makes a volume for a claim of a storage class.
 * @param storageClass undefined if there is none of the name
 */
export function planProvisioning(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  { provisions, simulates }: ProvisioningSettings,
): Provisioning {
  if (!provisions) return { does: 'nothing' };
  const className = storageClassOf(claim);
  const failed = (message: string): Provisioning => ({ does: 'report', report: warning(FAILED, message) });
  if (storageClass === undefined) return failed(`storageclass.storage.k8s.io "${className}" not found`);
  const { provisioner = '' } = storageClass;
  if (simulates && isSimulated(storageClass, claim)) {
    const problem = simulatedError(claim);
    return problem === undefined
      ? { does: 'make', claim: withProvisioner(claim, provisioner), storageClass }
      : {
          does: 'ask',
          // The scheduler may select another node.
          claim: withoutNode(withProvisioner(claim, provisioner)),
          report: warning(FAILED, `Failed to provision volume with StorageClass "${className}": ${problem}`),
        };
  }
  const driver = driverOf(provisioner) ?? provisioner;
  if (!isInTree(driver))
    return {
      does: 'ask',
      claim: withProvisioner(claim, driver),
      report: normal('ExternalProvisioning', waitingFor(driver)),
    };
  if (provisioner !== HOST_PATH) return failed(noProvisioner(provisioner));
  const report = warning(
    FAILED,
    `Failed to create provisioner: provisioning in volume plugin "${HOST_PATH}" is disabled`,
  );
  return { does: 'ask', claim: withProvisioner(claim, provisioner), report };
}

const waitingFor = (driver: string): string =>
  `Waiting for a volume to be created either by the external provisioner '${driver}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;

const withProvisioner = (claim: PersistentVolumeClaim, provisioner: string): PersistentVolumeClaim =>
  annotationOf(claim.metadata, PROVISIONER) === provisioner
    ? claim
    : withAnnotations(claim, { [BETA_PROVISIONER]: provisioner, [PROVISIONER]: provisioner });

const withoutNode = (claim: PersistentVolumeClaim): PersistentVolumeClaim =>
  annotationOf(claim.metadata, SELECTED_NODE) === undefined
    ? claim
    : withAnnotations(claim, { [SELECTED_NODE]: undefined });

/** A claim that says which driver replaces the plugin that is to make its volume. @returns the same if it does so already */
export function withMigration(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { metadata } = claim;
  const plugin = annotationOf(metadata, PROVISIONER) ?? annotationOf(metadata, BETA_PROVISIONER);
  if (plugin === undefined) return claim;
  const driver = driverOf(plugin);
  return annotationOf(metadata, MIGRATED_TO) === driver
    ? claim
    : withAnnotations(claim, { [MIGRATED_TO]: driver });
}
