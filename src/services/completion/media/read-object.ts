import { isRecord } from "../../../platform/json/is-record.ts";
import { invalidFailure } from "../provider-failures.ts";

/** @throws ProviderFailure `provider_invalid` for anything but an object, with this list in it. */
export function readObject(text: string, list?: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw invalidFailure(error);
  }
  if (!isRecord(answer)) throw invalidFailure();
  if (list !== undefined && !Array.isArray(answer[list])) throw invalidFailure();
  return answer;
}
