import type { AdmissionRequest } from '../../request/admission.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

function deny(request: AdmissionRequest): never {
  throw admissionForbidden(request, 'admission control is denying all modifications');
}

/** Rejects every request, after all other plugins that change objects. */
export const alwaysDeny: BuiltinPlugin = { handles: () => true, admit: deny, validate: deny };
