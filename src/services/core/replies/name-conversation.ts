import { shortenText, shortenToWords } from "../../../platform/shorten-text.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import { askModel } from "../../completion/contract-ask-model.ts";
import type { ReplyToMake } from "./reply-to-make.ts";
import { readTitle } from "./read-title.ts";

const TIMEOUT_MS = 10_000;
const MAX_READ_CHARACTERS = 4_000;
const MAX_TITLE_CHARACTERS = 100;
const MAX_FIRST_WORDS_CHARACTERS = 60;
const TASK =
  "Write a title of at most six words for the conversation that begins with the user's message, " +
  "in its language. Answer with the title alone.";

/** The title of a conversation that has none yet. */
export interface Naming {
  /** From the first words: there at once, and in the place of the model's until that is there. */
  firstWords: string;
  /** The model's title; undefined when it made none. */
  made: Promise<string | undefined>;
}

/**
 * Begins to name the conversation that the reply begins.
 * @returns undefined when the conversation has a title already.
 */
export function nameConversation(
  { completion, log }: { completion: Fetch; log: Logger },
  toMake: Pick<ReplyToMake, "titleFor" | "userId" | "conversationId" | "plan">,
  labels: Promise<CarriedLabel[]>,
  signal: AbortSignal,
): Naming | undefined {
  const { titleFor: content, conversationId } = toMake;
  if (content === undefined) return undefined;
  const made = askForTitle(completion, content, toMake, labels, signal).catch(
    (error: unknown) => {
      const fields = { err: error, conversationId };
      log.debug(fields, "no title was made; the first words are used");
      return undefined;
    },
  );
  const words = content.trim().replace(/\s+/g, " ");
  return { firstWords: shortenToWords(words, MAX_FIRST_WORDS_CHARACTERS), made };
}

async function askForTitle(
  completion: Fetch,
  content: string,
  {
    userId,
    conversationId,
    plan: { model },
  }: Pick<ReplyToMake, "userId" | "conversationId" | "plan">,
  labels: Promise<CarriedLabel[]>,
  signal: AbortSignal,
): Promise<string> {
  const question = {
    task: TASK,
    content: shortenText(content, MAX_READ_CHARACTERS),
    model,
    context: { userId, conversationId },
    labels: await labels,
  };
  const answer = await askModel(completion, question, { timeoutMs: TIMEOUT_MS, signal });
  const title = readTitle(answer);
  if (!title)
    throw new BadGateway(
      "title_empty",
      "The model answered without a title. Rename it yourself.",
    );
  return shortenToWords(title, MAX_TITLE_CHARACTERS);
}
