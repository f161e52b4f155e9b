import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import { type Answer, answerChat, type AnswerDeps } from "./answer-chat.ts";
import { openAiContract as contract } from "./contract.ts";
import { findModel, listModels } from "./list-models.ts";
import { encodeFailure, type Head, toChunks, toCompletion } from "./to-chunks.ts";

interface Deps extends AnswerDeps {
  db: Database;
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
      const answer = await answerChat(deps, userOf(caller), body, signal);
      const showsCalls = answer.clientRunsTools;
      if (!body.stream) return toCompletion(answer.events, head, { showsCalls });
      return streamAnswer(answer, head, body.stream_options?.include_usage === true);
    })
    .on(contract.openAiModels, async ({ caller }) => ({
      object: "list" as const,
      data: await listModels(deps, userOf(caller)),
    }))
    .on(contract.openAiModel, ({ caller, params }) =>
      findModel(deps, userOf(caller), params.model),
    );
}

/** The first events are awaited, so that an early refusal is an HTTP error. */
async function streamAnswer(
  { events, clientRunsTools }: Answer,
  head: Head,
  includeUsage: boolean,
) {
  const source = events[Symbol.asyncIterator]();
  const first = await source.next();
  async function* all() {
    if (!first.done) yield first.value;
    for (let next = await source.next(); !next.done; next = await source.next())
      yield next.value;
  }
  const options = { showsCalls: clientRunsTools, includeUsage };
  return encodedEventStream(toChunks(all(), head, options), encodeFailure);
}
