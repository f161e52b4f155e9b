import {
  JsonLimitExceeded,
  type JsonLimits,
  JsonMeter,
  parseJson,
} from "../json/json-limits.ts";
import { TextResponse } from "./lazy-response.ts";

interface AnswerLimits extends Partial<JsonLimits> {
  maxBytes: number;
}

/**
 * Returns the JSON of a response, or undefined for an empty one. Stops reading at a limit, before
 * any value is built.
 * @throws JsonLimitExceeded, SyntaxError, and what reading the body throws.
 */
export async function readJson(response: Response, limits: AnswerLimits): Promise<unknown> {
  // a response of this process is text already
  if (response instanceof TextResponse) return parseJson(response.whole, limits);
  const meter = new JsonMeter(limits);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.maxBytes)
      throw new JsonLimitExceeded("json_too_large", limits.maxBytes);
    meter.push(chunk);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
}
