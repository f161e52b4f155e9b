import { BadRequest } from "../../../platform/http/errors.ts";

/** What is wrong with a request of an identity provider. */

export function invalidFilter(reason: string): BadRequest {
  return new BadRequest(
    "scim_filter_invalid",
    `The filter is not valid: ${reason}. Check it.`,
    {
      params: { reason },
    },
  );
}

export function invalidPath(path: string): BadRequest {
  return new BadRequest(
    "scim_path_invalid",
    `The path "${path}" names no attribute. GET /scim/v2/Schemas lists the attributes.`,
    { params: { path } },
  );
}

/** Too many values of an attribute. */
export function tooMany(attribute: string, max: number): BadRequest {
  return invalidValue(attribute, `there are more than ${max}`);
}

export function invalidValue(attribute: string, reason: string): BadRequest {
  return new BadRequest(
    "scim_value_invalid",
    `The value of "${attribute}" is not valid: ${reason}. Check it.`,
    { params: { attribute, reason } },
  );
}
