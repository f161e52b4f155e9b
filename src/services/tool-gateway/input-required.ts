import { setTimeout as sleep } from "node:timers/promises";
import { BadGateway } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { MISSING_CAPABILITY, RemoteError } from "./remote-error.ts";
import type { Ask, Questions } from "./questions.ts";

// A server of 2026-07-28 asks by its answer: what it needs, and a state that comes back with it.
// Source: Model Context Protocol, 2026-07-28, multi round-trip requests.

/** The answer of a server that needs something of the caller first. */
export interface InputRequired {
  resultType: "input_required";
  /** By the server's own keys: requests that the caller answers. */
  inputRequests?: unknown;
  requestState?: unknown;
}

/** What a caller that knows such answers sends along, and takes as an answer. */
export interface Inputs {
  capabilities: object;
  inputResponses?: Record<string, unknown> | undefined;
  requestState?: string | undefined;
}

/** The params of one round. */
export type Round = Pick<Inputs, "inputResponses" | "requestState">;

interface Options {
  server: string;
  signal: AbortSignal;
  questions?: Questions | undefined;
  inputs?: Inputs | undefined;
}

const MAX_ROUNDS = 10;
/** In one request, over all rounds. */
const MAX_QUESTIONS = 50;
/** A server that only names a state wants to be asked again later. */
const PAUSE_MS = 500;
/** The capability by which a client says that it answers a question. */
const ANSWERED_BY: Record<string, string> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

export function isInputRequired(value: unknown): value is InputRequired {
  return isRecord(value) && value["resultType"] === "input_required";
}

/**
 * Sends a request again with what the server needs, until it is done. A caller that knows such
 * answers gets them; for another one its questions are asked one by one.
 * @throws BadGateway `tool_input_needed` for what nobody here can answer.
 */
export async function withInputs<T>(
  { server, signal, questions, inputs }: Options,
  send: (round: Round) => Promise<T | InputRequired>,
): Promise<T | InputRequired> {
  let round: Round = roundOf(inputs);
  let left = MAX_QUESTIONS;
  for (let rounds = 1; ; rounds += 1) {
    const result = await send(round).catch((error: unknown) => {
      const isUnasked = error instanceof RemoteError && error.code === MISSING_CAPABILITY;
      throw isUnasked && !inputs ? inputNeeded(server) : error;
    });
    if (!isInputRequired(result) || inputs) return result;
    const asked = Object.entries(
      isRecord(result.inputRequests) ? result.inputRequests : {},
    );
    left -= asked.length;
    if (rounds >= MAX_ROUNDS || left < 0 || (asked.length > 0 && !questions))
      throw inputNeeded(server);
    if (asked.length === 0) await sleep(PAUSE_MS, undefined, { signal });
    const answers = await Promise.all(
      asked.map(
        async ([key, one]) => [key, await answerQuestion(server, questions, one)] as const,
      ),
    );
    const { requestState } = result;
    round = {
      ...(asked.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(typeof requestState === "string" && { requestState }),
    };
  }
}

function roundOf({ inputResponses, requestState }: Partial<Inputs> = {}): Round {
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** @throws BadGateway `tool_input_needed` where nobody answers it. */
export async function answerQuestion(
  server: string,
  questions: Questions | undefined,
  asked: unknown,
): Promise<unknown> {
  const question = questionIn(asked);
  const needed = ANSWERED_BY[question?.method ?? ""] ?? "";
  if (!questions || !question || !(needed in questions.capabilities))
    throw inputNeeded(server);
  const { result } = await questions.ask(question);
  if (!isRecord(result)) throw inputNeeded(server);
  return result;
}

/** The question as a client of 2025 knows it. */
function questionIn(asked: unknown): Ask | undefined {
  if (!isRecord(asked) || typeof asked["method"] !== "string") return undefined;
  const params = isRecord(asked["params"]) ? asked["params"] : {};
  // until 2025-11-25 the address to visit had an id of its own
  const isVisit = asked["method"] === "elicitation/create" && params["mode"] === "url";
  const id = isVisit && { elicitationId: crypto.randomUUID() };
  return { method: asked["method"], params: { ...params, ...id } };
}

export function inputNeeded(server: string): BadGateway {
  return new BadGateway(
    "tool_input_needed",
    `"${server}" needs an answer that nobody here gives. Use its tool from a client that can be ` +
      "asked, or ask it for something else.",
    { params: { server } },
  );
}
