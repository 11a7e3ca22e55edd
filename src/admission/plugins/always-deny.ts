import type { AdmissionPlugin } from '../../request/admission.ts';
import { admissionForbidden } from '../forbidden.ts';

/** Rejects every request. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  validate(request) {
    throw admissionForbidden(request, 'admission control is denying all modifications');
  },
};
