import { begun } from "../../../platform/batches.ts";
import { uuidv7 } from "uuidv7";
import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import { answerChat, type AnswerDeps } from "../openai-api/answer-chat.ts";
import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import { anthropicContract as contract } from "./contract.ts";
import { readMessageFiles, readQuestion, toCompletionOptions } from "./to-options.ts";
import { encodeFailure, toMessage, toMessageEvents } from "./write-message.ts";

/** Anthropic's messages API over the platform's models and agents, for any client of that API. */
export function anthropicRoutes(routes: Routes, deps: AnswerDeps): void {
  routes
    .on(contract.anthropicMessage, async ({ body, caller, signal }) => {
      const head = { id: `msg_${uuidv7().replaceAll("-", "")}`, model: body.model };
      const user = userOf(caller);
      const files = deps.filesOf(user, { model: body.model, signal });
      const messages = await readMessageFiles(body.messages, files);
      const asked = toCompletionOptions({ ...body, messages });
      const question = { model: body.model, options: asked, labels: files.labels() };
      const answer = await answerChat(deps, user, question, signal);
      const options = { showsCalls: answer.clientRunsTools };
      if (!body.stream) return toMessage(answer.events, head, options);
      const events = await begun(answer.events);
      return encodedEventStream(toMessageEvents(events, head, options), encodeFailure);
    })
    .on(contract.anthropicTokens, async ({ body, caller, signal }) => {
      const files = deps.filesOf(userOf(caller), { signal });
      const messages = await readMessageFiles(body.messages, files);
      const question = readQuestion({ ...body, messages });
      return { input_tokens: estimateTokens(JSON.stringify(question).length) };
    });
}
