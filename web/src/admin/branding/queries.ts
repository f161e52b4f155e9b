import {
  brandingContract,
  type BrandingChange,
} from "../../../../src/services/users/contract-branding.ts";
import { call } from "../../api/call.ts";

export type { BrandingChange };

export function changeBranding(body: BrandingChange) {
  return call(brandingContract.changeBranding, { body });
}
