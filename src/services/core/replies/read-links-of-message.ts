import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { passageText } from "../sources/passage-text.ts";
import { linksOf } from "../web/links-of-message.ts";
import { readLinks } from "../web/read-links.ts";
import { READ_PAGE } from "../web/toolset.ts";
import type { Web } from "../web/web-client.ts";
import { textOf } from "./message-text.ts";
import type { ReplyRun } from "./run-reply.ts";

/**
 * Reads the pages that the message names, where the reply may read pages: yields their passages as
 * `sources`, and as warnings why others could not be read. So it is not left to the model. Where
 * every call waits for the user's decision, the model asks for a page by its tool instead.
 * @returns the run with the passages.
 */
export async function* readLinksOfMessage(
  { web }: { web?: Web | undefined },
  run: ReplyRun,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[], ReplyRun> {
  const { plan, userId, messages } = run;
  if (!plan.tools.includes(READ_PAGE) || plan.approval === "always") return run;
  const message = messages.findLast(({ role }) => role === "user");
  const links = message ? linksOf(textOf(message)) : [];
  if (links.length === 0) return run;
  const { contextWindow } = plan;
  const read = await readLinks(web, { userId, links, contextWindow }, signal);
  if (read.failures.length > 0)
    yield read.failures.map((one) => ({ type: "warning", ...toStoredFailure(one) }));
  if (read.sources.length > 0) yield [{ type: "sources", sources: read.sources }];
  return { ...withInstructions(run, read.text), sources: read.sources };
}

/** A run that goes on after a decision has the passages that it read before. */
export function recallPages(run: ReplyRun): ReplyRun {
  const pages = (run.sources ?? []).filter(({ url }) => url !== undefined);
  if (pages.length === 0) return run;
  const passages = pages.map(passageText).join("\n\n");
  return withInstructions(run, `Passages of pages that you have read:\n\n${passages}`);
}

function withInstructions(run: ReplyRun, text: string): ReplyRun {
  const instructions = [run.plan.instructions, text].filter(Boolean).join("\n\n");
  return { ...run, plan: { ...run.plan, instructions } };
}
