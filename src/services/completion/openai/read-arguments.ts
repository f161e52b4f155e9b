import { JsonLimitExceeded, JsonMeter } from "../../../platform/json/json-limits.ts";
import { invalidFailure } from "../provider-failures.ts";
import { isRecord } from "../../../platform/json/is-record.ts";

/** Levels of a call's arguments, which are sent on inside a request that is nested itself. */
const MAX_ARGUMENTS_DEPTH = 64;

/** Counts the arguments of all calls of a reply. */
export function createArgumentMeter(): JsonMeter {
  return new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
}

/**
 * The arguments of a call as the model wrote them. Text that is not a JSON object becomes `{}`,
 * which the tool's schema then refuses.
 * @throws ProviderFailure `provider_invalid` for JSON that is too large or nested too deep.
 */
export function readArguments(
  json: string,
  meter = createArgumentMeter(),
): Record<string, unknown> {
  try {
    meter.pushText(json);
    const value: unknown = JSON.parse(json || "{}");
    return isRecord(value) ? value : {};
  } catch (error) {
    if (error instanceof JsonLimitExceeded) throw invalidFailure();
    return {};
  }
}
