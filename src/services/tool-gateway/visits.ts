import { z } from "zod";
import { shortenText } from "../../platform/shorten-text.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { inputNeeded } from "./input-required.ts";
import { RemoteError } from "./remote-error.ts";
import type { Ask, Questions } from "./questions.ts";
import { VIEWS } from "./views/view-meta.ts";

// What a server wants its user to do at an address before it goes on (elicitation of mode `url`):
// the one question that a call of Parlance's own agents can pass on, by ending. Source: Model
// Context Protocol, 2025-11-25 and 2026-07-28, elicitation.

const MAX_MESSAGE_CHARACTERS = 300;
/** The server refuses until the user was at an address. */
export const VISIT_REQUIRED = -32_042;
const Visit = z.object({
  mode: z.literal("url"),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  message: z.string().catch(""),
});

/**
 * Makes a call whose user can be sent to an address, and asked nothing else.
 * @throws BadGateway `tool_visit_needed` where the server wants that.
 */
export async function withVisits<T>(
  server: string,
  call: (questions: Questions) => Promise<T>,
): Promise<T> {
  let visit: BadGateway | undefined;
  const questions: Questions = {
    capabilities: { elicitation: { url: {} }, extensions: VIEWS },
    async ask(question) {
      visit ??= visitIn(server, question);
      if (visit) throw visit;
      // those of 2025-06-18 ask by forms whoever knows any question
      return { result: { action: "decline" } };
    },
  };
  try {
    const result = await call(questions);
    if (visit) throw visit;
    return result;
  } catch (error) {
    throw visit ?? refusedVisit(server, error) ?? error;
  }
}

function visitIn(server: string, { method, params }: Ask): BadGateway | undefined {
  const visit = Visit.safeParse(params);
  if (method !== "elicitation/create" || !visit.success) return undefined;
  return visitNeeded(server, visit.data);
}

function refusedVisit(server: string, error: unknown): BadGateway | undefined {
  if (!(error instanceof RemoteError) || error.code !== VISIT_REQUIRED) return undefined;
  const { data } = error;
  const asked = isRecord(data) && Array.isArray(data["elicitations"]);
  const [visit] = asked
    ? (data["elicitations"] as unknown[]).flatMap(
        (one) => Visit.safeParse({ mode: "url", ...(isRecord(one) && one) }).data ?? [],
      )
    : [];
  return visit ? visitNeeded(server, visit) : inputNeeded(server);
}

function visitNeeded(
  server: string,
  { url: address, message }: z.output<typeof Visit>,
): BadGateway {
  const said = shortenText(message, MAX_MESSAGE_CHARACTERS);
  return new BadGateway(
    "tool_visit_needed",
    `"${server}" wants its user at ${address} first. Visit it in a browser. Try again after that.`,
    { params: { server, address, ...(said && { said }) } },
  );
}
