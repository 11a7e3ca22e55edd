import type { Service } from '../../../model/generated/core-v1.ts';
import { type FieldError, invalid, invalidFormatted } from '../../../status/field-error.ts';
import { formatGoStrings, formatGoValue } from '../../validation/format-value.ts';
import { isExternalName, isHeadless, isLoadBalancer } from './service-rules.ts';
import { validateLoadBalancerClass } from './service-validation.ts';

/**
 * Validates the update of a Service. The primary address and family are immutable; the secondary ones can be
 * added, and removed with policy SingleStack.
 */
export function validateServiceChanges(service: Service, old: Service): FieldError[] {
  return [...validateAddressChanges(service, old), ...validateLoadBalancerClassChange(service, old)];
}

function validateAddressChanges(service: Service, old: Service): FieldError[] {
  if (isExternalName(service) || isExternalName(old) || (isHeadless(service) && isHeadless(old))) return [];
  return [
    ...validateListChange(service, old, 'clusterIPs', 'clusterIP', (list) => formatGoStrings(list)),
    ...validateListChange(
      service,
      old,
      'ipFamilies',
      'ipFamily',
      (list) => `[]core.IPFamily{${list.map((family) => JSON.stringify(family)).join(', ')}}`,
    ),
  ];
}

function validateListChange(
  service: Service,
  old: Service,
  member: 'clusterIPs' | 'ipFamilies',
  singular: string,
  format: (list: readonly string[]) => string,
): FieldError[] {
  const list = service.spec?.[member] ?? [];
  const oldList = old.spec?.[member] ?? [];
  const listError = (index: number, detail: string): FieldError =>
    invalidFormatted(`spec.${member}[${index}]`, format(list), detail);
  if (list.length === oldList.length)
    return oldList.flatMap((value, index) =>
      list[index] === value ? [] : [listError(index, 'may not change once set')],
    );
  const errors: FieldError[] = [];
  if (list.length > 0 && oldList.length > 0 && list[0] !== oldList[0])
    errors.push(listError(0, 'may not change once set'));
  if (list.length > oldList.length) return errors;
  if (list.length === 0) errors.push(listError(0, `primary ${singular} can not be unset`));
  const policy = service.spec?.ipFamilyPolicy;
  if (list.length === 1 && policy !== 'SingleStack') {
    errors.push(
      invalid(
        'spec.ipFamilyPolicy',
        policy,
        `must be set to 'SingleStack' when releasing the secondary ${singular}`,
      ),
    );
  }
  return errors;
}

function validateLoadBalancerClassChange(service: Service, old: Service): FieldError[] {
  const name = service.spec?.loadBalancerClass;
  const changed = isLoadBalancer(service) && isLoadBalancer(old) && name !== old.spec?.loadBalancerClass;
  return [
    ...(changed
      ? [invalidFormatted('spec.loadBalancerClass', formatGoValue(name), 'may not change once set')]
      : []),
    // kube-apiserver validates the class here, and with the rest of the Service.
    ...validateLoadBalancerClass(service),
  ];
}
