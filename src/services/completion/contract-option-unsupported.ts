import { BadRequest } from "../../platform/http/errors.ts";

/** For an option that the provider's protocol has no place for. */
export function optionUnsupported(name: string): BadRequest {
  return new BadRequest(
    "option_unsupported",
    `The provider of this model does not take ${name}. Leave it out, or choose another model.`,
    { params: { name } },
  );
}
