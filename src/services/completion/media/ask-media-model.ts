import { uuidv7 } from "uuidv7";
import { traceHeaders } from "../../../platform/http/context.ts";
import { Deadline } from "../../../platform/http/deadline.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import {
  beginningOf,
  byteLimit,
  watched,
} from "../../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  askModels,
  impatientFailure,
  mayBeReplaced,
  patienceMs,
  type ModelTurn,
  type ModelTurnDeps,
} from "../ask-models.ts";
import type { Target } from "../catalogue.ts";
import { isReplaced } from "../contract-load-shared.ts";
import { ANSWERED_BY_HEADER } from "../contract-media.ts";
import type { ModelKind } from "../contract-model-kinds.ts";
import { providerKinds } from "../contract-provider-kinds.ts";
import type { AnsweredBy, Transaction } from "../contract.ts";
import { refusalFailure } from "../explain-refusal.ts";
import { KeyRing } from "../key-ring.ts";
import { observeCall, type ObserveDeps } from "../observe-call.ts";
import type {
  MediaContent,
  MediaEndpoint,
  MediaPath,
  TranslatedRequest,
} from "../providers/media-endpoint.ts";
import { readObject } from "./read-object.ts";
import { toBody } from "./to-body.ts";
import { translatedEvents } from "./translated-events.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import { refuseProvider } from "../refuse-provider.ts";
import {
  cutFailure,
  invalidFailure,
  misconfiguredFailure,
  redirectFailure,
  tooLongFailure,
  tooSlowFailure,
  unreachableFailure,
} from "../provider-failures.ts";

export interface MediaDeps extends ModelTurnDeps, ObserveDeps {
  endpoints: Outgoing;
  /** For the whole of a request. */
  replyTimeoutMs: number;
  publish: (transaction: Transaction) => Promise<void>;
}

export interface Ask {
  kind: Exclude<ModelKind, "embedding">;
  /** As the catalogue or the provider names it. */
  model: string;
  userId: string | undefined;
  labels: readonly CarriedLabel[] | undefined;
  /** At OpenAI's API. */
  path: MediaPath;
  content: MediaContent;
  maxAnswerBytes: number;
  /** It takes minutes until the answer begins, so that nobody else is asked for its silence. */
  isSlow: boolean;
}

/** What a request used; `estimated`: the provider does not say it. */
export type MediaUsage = Pick<
  Transaction,
  "inputTokens" | "outputTokens" | "estimated" | "images" | "seconds" | "characters"
>;

/** Of an answer that failed before there was anything in it. */
export const NO_USAGE: MediaUsage = { inputTokens: 0, outputTokens: 0, estimated: true };

/** The answer of a provider, whose reader says what it used. */
export interface Answer {
  /** Ends with a failure of ours. Its bytes are limited. */
  response: Response;
  /** Set where another model answers than the one that was asked. */
  answeredBy: AnsweredBy | undefined;
  /** The first part has come, so that the rest may take as long as it does. */
  begin(): void;
  /** Records the use once, and ends the time limit. Call it however the answer ends. */
  finish(usage: MediaUsage, end: End): Promise<void>;
  /** What a failure while reading means, for its caller. */
  toFailure(error: unknown): unknown;
  /** Whether nobody waits for it any more. */
  isLeft(): boolean;
}

export type End = "stop" | "cancelled" | "error";

/** Reads an answer until it begins: what fails before, another model may answer. */
type Read = (answer: Answer) => Promise<Response>;

/** How much of an error answer is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Asks a model and, where it fails before its answer begins, its fallbacks in turn. Each is asked
 * once: what it makes may have been charged for.
 * @throws NotFound `model_unknown`, BadRequest `model_task_unsupported`, Forbidden
 * `label_forbids_provider`, ProviderFailure.
 */
export async function askMediaModel(
  deps: MediaDeps,
  ask: Ask,
  signal: AbortSignal,
  read: Read,
): Promise<Response> {
  const { kind, labels, userId } = ask;
  const asked = await deps.catalogue.resolve(ask.model, kind);
  refuseProvider(labels, asked.provider.name);
  const until = performance.now() + deps.replyTimeoutMs;
  const context = userId === undefined ? {} : { userId };
  const suits = (target: Target) => canTake(target, ask.path);
  let response: Response | undefined;
  await askModels(deps, { kind, context, labels, suits }, asked, async (target, turn) => {
    const leftMs = Math.max(1, until - performance.now());
    try {
      response = await askByKeys(deps, { ask, target, turn, signal, leftMs }, read);
      return undefined;
    } catch (error) {
      if (!signal.aborted && mayBeReplaced(error, turn)) return error;
      throw error;
    }
  });
  if (!response) throw invalidFailure(); // one has answered, or the failure was thrown
  return response;
}

/** Whether the provider of a model has an API for it. */
function canTake({ provider: { kind, config }, model }: Target, path: MediaPath): boolean {
  const endpoint = providerKinds[kind].media(config, model);
  return endpoint?.url(path) !== undefined || endpoint?.translate !== undefined;
}

interface Asking {
  ask: Ask;
  target: Target;
  turn: ModelTurn;
  signal: AbortSignal;
  /** For the whole of the answer. */
  leftMs: number;
}

/** One key of several that is refused, or at its limit, is replaced by the next. */
async function askByKeys(deps: MediaDeps, asking: Asking, read: Read): Promise<Response> {
  const { provider, model } = asking.target;
  const { kind, name } = provider;
  if (!providerKinds[kind].config.safeParse(provider.config).success)
    throw misconfiguredFailure(name);
  const keys = new KeyRing(deps.keyRests, provider);
  for (;;) {
    const endpoint = providerKinds[kind].media(keys.next(), model);
    if (!endpoint) throw unsupported(name);
    try {
      const response = await askOnce(deps, asking, endpoint, read);
      keys.answered();
      return response;
    } catch (error) {
      if (asking.signal.aborted || !keys.failed(error)) throw error;
    }
  }
}

async function askOnce(
  deps: MediaDeps,
  { ask, target, turn, signal, leftMs }: Asking,
  endpoint: MediaEndpoint,
  read: Read,
): Promise<Response> {
  const { model } = target;
  const { name } = target.provider;
  const translated = await endpoint.translate?.(ask.path, ask.content);
  const url = translated?.url ?? endpoint.url(ask.path);
  if (url === undefined) throw unsupported(name);
  const startedAt = performance.now();
  const deadline = new Deadline(signal, leftMs);
  const waitMs = ask.isSlow ? undefined : patienceMs(deps, turn);
  const patience = waitMs === undefined ? undefined : new Deadline(deadline.signal, waitMs);
  const until = (patience ?? deadline).signal;
  const stop = () => {
    patience?.stop();
    deadline.stop();
  };
  const state = { isSent: false };
  const observed = observeCall(deps, { provider: name, model, state });
  const toFailure = (error: unknown) => {
    if (signal.aborted) return error;
    if (deadline.late) return tooSlowFailure(deps.replyTimeoutMs);
    if (patience?.late) return impatientFailure(waitMs ?? 0);
    return error instanceof ApiError ? error : cutFailure(error);
  };
  try {
    const { type, body } = translated
      ? { type: "application/json", body: JSON.stringify(translated.body) }
      : toBody(ask.content, model);
    state.isSent = true;
    const response = await deps.endpoints
      .fetch(url, {
        method: "POST",
        headers: {
          ...traceHeaders(),
          ...endpoint.headers,
          ...(type !== undefined && { "content-type": type }),
        },
        body,
        signal: until,
        redirect: "manual",
      })
      .catch((error: unknown) => {
        if (until.aborted || error instanceof ApiError) throw error;
        throw unreachableFailure(error);
      });
    if (!response.ok) throw await refusalOf(response, ask.path, name);
    const limited = watched(response, byteLimit(ask.maxAnswerBytes, tooLongFailure));
    const { answeredBy } = turn;
    const answered = await read({
      response: translated ? await toOpenAi(limited, translated) : limited,
      answeredBy: answeredBy && isReplaced(answeredBy) ? answeredBy : undefined,
      toFailure,
      begin: () => patience?.pause(),
      isLeft: () => signal.aborted,
      async finish(usage, finishReason) {
        stop();
        await deps.publish({
          id: uuidv7(),
          provider: name,
          model,
          ...(ask.userId !== undefined && { userId: ask.userId }),
          ...usage,
          durationMs: Math.round(performance.now() - startedAt),
          finishReason,
          createdAt: new Date().toISOString(),
        });
      },
    });
    observed.succeeded();
    if (answeredBy && isReplaced(answeredBy))
      answered.headers.set(ANSWERED_BY_HEADER, encodeURI(answeredBy.model));
    return answered;
  } catch (error) {
    stop();
    const failure = toFailure(error);
    observed.failed(failure, 1);
    throw failure;
  }
}

/** @throws ProviderFailure `provider_invalid` for an answer without what was asked for. */
async function toOpenAi(
  response: Response,
  translated: TranslatedRequest,
): Promise<Response> {
  const isStream = response.headers.get("content-type")?.includes("event-stream");
  if (isStream && translated.stream) return translatedEvents(response, translated.stream());
  const answer = translated.toOpenAi(readObject(await response.text()));
  if (!answer) throw invalidFailure();
  if ("json" in answer) return Response.json(answer.json);
  return new Response(answer.bytes, { headers: { "content-type": answer.type } });
}

/** What servers answer where they, or one of their models, continue no texts. */
const WITHOUT_TEXT = [404, 405, 501];
/** OpenAI and Azure say it in words. */
const IS_FOR_CHAT =
  /v1\/completions endpoint|operation does not work with the specified model/i;

async function refusalOf(
  response: Response,
  path: MediaPath,
  provider: string,
): Promise<ApiError> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    return redirectFailure();
  }
  const words = await beginningOf(response, MAX_ERROR_BYTES)
    .text()
    .catch(() => ""); // the status alone says enough
  const isWithout = WITHOUT_TEXT.includes(response.status) || IS_FOR_CHAT.test(words);
  if (path === "/completions" && isWithout) return unsupported(provider);
  const retryAfter = response.headers.get("retry-after") ?? undefined;
  return refusalFailure(response.status, retryAfter, words);
}

function unsupported(provider: string): BadRequest {
  return new BadRequest(
    "model_task_unsupported",
    `The provider ${provider} cannot be asked for this here. Choose a model of another provider.`,
    { params: { provider } },
  );
}
