import { uuidv7 } from "uuidv7";
import { begun } from "../../../../platform/batches.ts";
import { callForFile } from "../../../../platform/http/call.ts";
import { type User, userOf } from "../../../../platform/http/caller.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../../platform/http/stream.ts";
import { mediaContract } from "../../../completion/contract-media.ts";
import type { AnswerDeps } from "../answer-chat.ts";
import { agentIdOf } from "../list-models.ts";
import { chooseAffordable } from "../../usage/afford-model.ts";
import { namingWho } from "../media/naming-who.ts";
import { providerFields } from "../provider-fields.ts";
import { encodeFailure } from "../to-chunks.ts";
import { textContract as contract, TextRequest } from "./contract.ts";
import { streamTexts, toTexts, wholeTexts } from "./write-by-chat.ts";

/** OpenAI's API that continues texts. */
export function textRoutes(routes: Routes, deps: AnswerDeps): void {
  routes.on(contract.textCompletions, async ({ body, caller, signal }) => {
    const user = userOf(caller);
    if (agentIdOf(body.model) === undefined) {
      const answer = await continueByProvider(deps, user, body, signal);
      if (answer) return answer;
    }
    const head = {
      id: `cmpl-${uuidv7()}`,
      object: "text_completion" as const,
      created: Math.floor(Date.now() / 1_000),
      model: body.model,
    };
    const texts = toTexts(body);
    if (!body.stream) return wholeTexts(deps, user, texts, head, signal);
    const showsUsage = body.stream_options?.include_usage === true;
    const lines = streamTexts(deps, user, texts, { head, showsUsage }, signal);
    return encodedEventStream(await begun(lines), encodeFailure);
  });
}

/** @returns undefined where the provider of the model only chats. */
async function continueByProvider(
  deps: AnswerDeps,
  user: User,
  { model: name, ...asked }: TextRequest,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const { completion, timeoutMs } = deps;
  const afforded = await chooseAffordable(deps, user, name);
  const { model } = afforded.chosen;
  // null means what its absence means; some servers refuse it
  const named = Object.entries(asked).filter(
    ([field, value]) => value != null && Object.hasOwn(TextRequest.shape, field),
  );
  const fields = providerFields(asked, TextRequest.shape);
  const request = { ...Object.fromEntries(named), ...fields };
  const shownModel = afforded.answeredBy?.model ?? name;
  const body = { model, shownModel, request, userId: user.userId };
  const options = { signal, timeoutMs };
  try {
    const route = mediaContract.writeText;
    return namingWho(await callForFile(completion, route, { body }, options), afforded);
  } catch (error) {
    if (error instanceof ApiError && error.code === "model_task_unsupported")
      return undefined;
    throw error;
  }
}
