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
import type { Catalogue } from "../catalogue.ts";
import type { ModelKind } from "../contract-model-kinds.ts";
import { providerKinds } from "../contract-provider-kinds.ts";
import type { Transaction } from "../contract.ts";
import { refusalFailure } from "../explain-refusal.ts";
import { observeCall, type ObserveDeps } from "../observe-call.ts";
import type {
  MediaContent,
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

export interface MediaDeps extends ObserveDeps {
  catalogue: Catalogue;
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
}

/** What a request used; `estimated`: the provider does not say it. */
export type MediaUsage = Pick<
  Transaction,
  "inputTokens" | "outputTokens" | "estimated" | "images" | "seconds" | "characters"
>;

/** The answer of a provider, whose reader says what it used. */
export interface Answer {
  /** Ends with a failure of ours. Its bytes are limited. */
  response: Response;
  /** Records the use once, and ends the time limit. Call it however the answer ends. */
  finish(usage: MediaUsage, end: "stop" | "cancelled" | "error"): Promise<void>;
  /** What a failure while reading means, for its caller. */
  toFailure(error: unknown): unknown;
}

/** How much of an error answer is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Asks a model once: what it makes may have been charged for.
 * @throws NotFound `model_unknown`, BadRequest `model_task_unsupported`, Forbidden
 * `label_forbids_provider`, ProviderFailure.
 */
export async function askModel(
  deps: MediaDeps,
  ask: Ask,
  signal: AbortSignal,
): Promise<Answer> {
  const { provider, model } = await deps.catalogue.resolve(ask.model, ask.kind);
  const { kind, config, name } = provider;
  refuseProvider(ask.labels, name);
  if (!providerKinds[kind].config.safeParse(config).success)
    throw misconfiguredFailure(name);
  const endpoint = providerKinds[kind].media(config, model);
  const translated = await endpoint?.translate?.(ask.path, ask.content);
  const url = translated?.url ?? endpoint?.url(ask.path);
  if (!endpoint || url === undefined) throw unsupported(name);
  const startedAt = performance.now();
  const deadline = new Deadline(signal, deps.replyTimeoutMs);
  const state = { isSent: false };
  const observed = observeCall(deps, { provider: name, model, state });
  const toFailure = (error: unknown) => {
    if (signal.aborted) return error;
    if (deadline.late) return tooSlowFailure(deps.replyTimeoutMs);
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
        signal: deadline.signal,
        redirect: "manual",
      })
      .catch((error: unknown) => {
        if (deadline.signal.aborted || error instanceof ApiError) throw error;
        throw unreachableFailure(error);
      });
    if (!response.ok) throw await refusalOf(response, ask.path, name);
    const limited = watched(response, byteLimit(ask.maxAnswerBytes, tooLongFailure));
    const read = translated ? await toOpenAi(limited, translated) : limited;
    observed.succeeded();
    return {
      response: read,
      toFailure,
      async finish(usage, finishReason) {
        deadline.stop();
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
    };
  } catch (error) {
    deadline.stop();
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
