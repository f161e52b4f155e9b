import { begun } from "../../../platform/batches.ts";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import {
  asksAsAnthropic,
  pageOfModels,
  toAnthropicModel,
} from "../anthropic-api/write-models.ts";
import { answerChat, type AnswerDeps } from "./answer-chat.ts";
import { openAiContract as contract } from "./contract.ts";
import { findModel, listModels } from "./list-models.ts";
import { encodeFailure, toChunks, toCompletion } from "./to-chunks.ts";
import { readMessageFiles, toCompletionOptions } from "./to-messages.ts";

interface Deps extends AnswerDeps {
  db: Database;
  embedding: Fetch | undefined;
}

/** OpenAI's chat API over the platform's models and agents, for any client of that API. */
export function openAiRoutes(routes: Routes, deps: Deps): void {
  routes
    .on(contract.chatCompletions, async ({ body, caller, signal }) => {
      const head = {
        id: `chatcmpl-${uuidv7()}`,
        created: Math.floor(Date.now() / 1_000),
        model: body.model,
      };
      const user = userOf(caller);
      const files = deps.filesOf(user, { model: body.model, signal });
      const messages = await readMessageFiles(body.messages, files);
      const options = toCompletionOptions({ ...body, messages });
      const question = { model: body.model, options, labels: files.labels() };
      const answer = await answerChat(deps, user, question, signal);
      const showsCalls = answer.clientRunsTools;
      if (!body.stream) return toCompletion(answer.events, head, { showsCalls });
      const includeUsage = body.stream_options?.include_usage === true;
      const writing = { showsCalls, includeUsage };
      const events = await begun(answer.events);
      return encodedEventStream(toChunks(events, head, writing), encodeFailure);
    })
    .on(contract.openAiModels, async ({ caller, query, request }) => {
      const forChat = asksAsAnthropic(request);
      const data = await listModels(deps, userOf(caller), { forChat });
      if (forChat) return pageOfModels(data, query);
      return { object: "list" as const, data };
    })
    .on(contract.openAiModel, async ({ caller, params, request }) => {
      const model = await findModel(deps, userOf(caller), params.model);
      return asksAsAnthropic(request) ? toAnthropicModel(model) : model;
    });
}
