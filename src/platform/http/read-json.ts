import { JsonLimitExceeded, type JsonLimits, JsonMeter, parseJson } from "../json/json-limits.ts";
import { TextResponse } from "./lazy-response.ts";

interface AnswerLimits extends Partial<JsonLimits> {
  maxBytes: number;
}

/**
 * The JSON of a response, undefined for an empty one, of which nothing is built and no more is read
 * once it exceeds a limit.
 * @throws JsonLimitExceeded, SyntaxError, and what reading the body throws.
 */
export async function readJson(response: Response, limits: AnswerLimits): Promise<unknown> {
  // an answer of this process is a text already
  if (response instanceof TextResponse) return parseJson(response.whole, limits);
  const meter = new JsonMeter(limits);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.maxBytes) throw new JsonLimitExceeded("json_too_large", limits.maxBytes);
    meter.push(chunk);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
}
