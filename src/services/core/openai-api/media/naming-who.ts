import { ANSWERED_BY_HEADER } from "../../../completion/contract-media.ts";
import type { Afforded } from "../../usage/afford-model.ts";

/** The id of the model that gave an answer: the one asked, unless a header names another. */
export function whoAnswered(answer: Response, { chosen }: Afforded): string {
  const named = answer.headers.get(ANSWERED_BY_HEADER);
  return named === null ? chosen.model : decodeURI(named);
}

/**
 * An answer whose header names who answered, where another model was asked: by the completion
 * service, or here, for a budget that is used up.
 */
export function namingWho(answer: Response, { answeredBy }: Afforded): Response {
  if (!answeredBy || answer.headers.has(ANSWERED_BY_HEADER)) return answer;
  const headers = new Headers(answer.headers);
  headers.set(ANSWERED_BY_HEADER, encodeURI(answeredBy.model));
  return new Response(answer.body, { status: answer.status, headers });
}
