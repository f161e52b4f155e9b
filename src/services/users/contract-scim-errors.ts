import type { ErrorView } from "../../platform/http/route.ts";

/** Errors in the form of SCIM (RFC 7644, 3.12). */

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** The keyword of each of our codes, by which identity providers decide what to do. */
const TYPES: Record<string, string> = {
  email_taken: "uniqueness",
  group_name_taken: "uniqueness",
  json_invalid: "invalidSyntax",
  validation_failed: "invalidSyntax",
  scim_filter_invalid: "invalidFilter",
  scim_path_invalid: "invalidPath",
  scim_path_missing: "noTarget",
  scim_read_only: "mutability",
  scim_value_invalid: "invalidValue",
  scim_email_missing: "invalidValue",
  scim_member_unknown: "invalidValue",
  scim_user_exists: "uniqueness",
};

export function toScimError({ status, code, message }: ErrorView): object {
  const scimType = status === 400 || status === 409 ? TYPES[code] : undefined;
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  };
}
