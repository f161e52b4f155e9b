import { cutText } from "../../../platform/cut-text.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { askModel } from "../../completion/contract-ask-model.ts";
import type { ReplyJob } from "./generate-reply.ts";

const TIMEOUT_MS = 10_000;
const MAX_READ_CHARACTERS = 4_000;
const MAX_TITLE_CHARACTERS = 100;
const MAX_FIRST_WORDS_CHARACTERS = 60;
const TASK =
  "Write a title of at most six words for the conversation that begins with the user's message, " +
  "in its language. Answer with the title alone.";

/**
 * A title for the conversation that the reply begins, by the model or else from the first words.
 * @returns undefined when the conversation has a title already.
 */
export async function nameConversation(
  { completion, log }: { completion: Fetch; log: Logger },
  job: Pick<ReplyJob, "titleFor" | "userId" | "conversationId" | "plan">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { titleFor: content } = job;
  if (content === undefined) return undefined;
  try {
    return await askForTitle(completion, content, job, signal);
  } catch (error) {
    const { conversationId } = job;
    log.debug(
      { err: error, conversationId },
      "no title was made; the first words are used",
    );
    return cutText(content.trim().replace(/\s+/g, " "), MAX_FIRST_WORDS_CHARACTERS);
  }
}

async function askForTitle(
  completion: Fetch,
  content: string,
  {
    userId,
    conversationId,
    plan: { model },
  }: Pick<ReplyJob, "userId" | "conversationId" | "plan">,
  signal: AbortSignal,
): Promise<string> {
  const question = {
    task: TASK,
    content: cutText(content, MAX_READ_CHARACTERS),
    model,
    context: { userId, conversationId },
  };
  const answer = await askModel(completion, question, { timeoutMs: TIMEOUT_MS, signal });
  const title = answer.replace(/^["'“”]|["'“”.]$/g, "").replace(/\s+/g, " ");
  if (!title)
    throw new BadGateway(
      "title_empty",
      "The model answered without a title. Rename it yourself.",
    );
  return cutText(title, MAX_TITLE_CHARACTERS);
}
