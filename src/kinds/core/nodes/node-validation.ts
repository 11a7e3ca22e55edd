import { quote } from '../../../errors/quote.ts';
import type { Node, NodeAddress, Taint } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { labelValue } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  duplicate,
  duplicateFormatted,
  type FieldError,
  forbidden,
  internal,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../../steps/replay.ts';
import { parseCidr, validateLegacyCidr } from '../../validation/addresses.ts';
import { checkMembers } from '../../validation/check-members.ts';
import { findDuplicateStrings, findDuplicates } from '../../validation/duplicates.ts';
import { formatGoStrings } from '../../validation/format-value.ts';
import { validateLabelName } from '../../validation/labels.ts';
import { validateResourceAmount } from '../../validation/resource-names.ts';
import { sameStrings } from '../services/service-rules.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates the rules that apply at creation and on every update. */
export function validateNode(node: Node, context: RuleContext): FieldError[] {
  return [
    ...validateTaints(node.spec?.taints),
    ...validateCapacity(node),
    ...validateSwap(node),
    ...validatePodRanges(node.spec?.podCIDRs ?? [], context),
  ];
}

/** The releases in which a provider that changes is an invalid value. */
const REPORTS_PROVIDER: Life = { since: '1.37' };

/** Validates an update of a node or its status. */
export function validateNodeUpdate(node: Node, old: Node, context: RuleContext): FieldError[] {
  const { spec = {}, status } = node;
  const oldSpec = old.spec ?? {};
  const errors = validateCapacity(node);
  for (const error of validateAddresses(status?.addresses)) errors.push(error);
  if (oldSpec.podCIDRs?.length && !sameStrings(oldSpec.podCIDRs, spec.podCIDRs)) {
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (oldSpec.providerID && oldSpec.providerID !== spec.providerID) {
    errors.push(
      context.has(REPORTS_PROVIDER)
        ? invalidFormatted(
            'spec.providerID',
            'null',
            `field cannot be ${spec.providerID ? 'modified' : 'cleared'} once set`,
          )
        : forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  }
  errors.push(...validateTaints(spec.taints));
  if ((oldSpec.externalID ?? '') !== (spec.externalID ?? ''))
    errors.push(forbidden('spec.externalID', 'may not be updated'));
  return errors;
}

const formatAddress = ({ type = '', address = '' }: NodeAddress): string =>
  `core.NodeAddress{Type:${quote(type)}, Address:${quote(address)}}`;

function validateAddresses(addresses: readonly NodeAddress[] = []): FieldError[] {
  const repeated = findDuplicateStrings(resultsOfEach(addresses, { place: 'formatted' }, formatAddress));
  return checkEach(addresses, { place: 'addresses' }, (address, index) =>
    repeated.has(index) ? [duplicateFormatted(`status.addresses[${index}]`, formatAddress(address))] : [],
  );
}

function validateTaints(taints: readonly Taint[] = []): FieldError[] {
  const repeated = findDuplicates(taints, ({ effect = '', key = '' }) => `${effect}/${key}`);
  return checkEach(taints, { place: 'taints', cost: 2 }, (taint, index) => {
    // kube-apiserver reports `metadata.taints`, although taints are in the spec.
    const field = `metadata.taints[${index}]`;
    const { key = '', value = '', effect = '' } = taint;
    const errors = validateLabelName(key, `${field}.key`);
    const texts = labelValue(value);
    if (texts.length > 0) errors.push(invalid(`${field}.value`, value, texts.join(';')));
    if (effect === '') errors.push(required(`${field}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${field}.effect`, effect, EFFECTS));
    if (repeated.has(index)) errors.push(duplicateTaint(taint, field));
    return errors;
  });
}

const duplicateTaint = (
  { key = '', value = '', effect = '', timeAdded }: Taint,
  field: string,
): FieldError => {
  const formatted = `core.Taint{Key:${quote(key)}, Value:${quote(value)}, Effect:${quote(effect)}, TimeAdded:${timeAdded ?? '<nil>'}}`;
  return duplicateFormatted(field, formatted, 'taints must be unique by key and effect pair');
};

function validateCapacity({ status }: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((member) =>
    checkMembers(status?.[member], member, (name, amount) =>
      validateResourceAmount(name, amount, `status.${member}.${name}`),
    ),
  );
}

/** The path is below `metadata`, as in kube-apiserver. */
function validateSwap({ status }: Node): FieldError[] {
  const { capacity } = status?.nodeInfo?.swap ?? {};
  return capacity === undefined || capacity > 0
    ? []
    : [invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

/** The releases that report ranges twice, also because they are of one family. */
const REPORTS_REPEATED: Life = { until: '1.33' };

function validatePodRanges(ranges: readonly string[], context: RuleContext): FieldError[] {
  const field = 'spec.podCIDRs';
  const malformed = checkEach(ranges, { place: 'ranges', cost: 3 }, (range, index) =>
    validateLegacyCidr(range, `${field}[${index}]`, context),
  );
  if (ranges.length < 2) return malformed;
  const families = resultsOfEach(
    ranges,
    { place: 'families', cost: 3 },
    (range) => parseCidr(range)?.address.family,
  );
  const wrong = families.indexOf(undefined);
  const isDualStack = wrong < 0 && new Set(families).size === 2;
  const repeated = findDuplicateStrings(ranges);
  return [
    ...malformed,
    ...(wrong < 0
      ? []
      : [
          internal(
            field,
            `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`,
          ),
        ]),
    ...(ranges.length > 2 || !isDualStack
      ? [
          invalidFormatted(
            field,
            formatGoStrings(ranges),
            'may specify no more than one CIDR for each IP family',
          ),
        ]
      : []),
    ...checkEach(ranges, { place: 'duplicates' }, (range, index) =>
      repeated.has(index) && context.has(REPORTS_REPEATED) ? [duplicate(`${field}[${index}]`, range)] : [],
    ),
  ];
}
