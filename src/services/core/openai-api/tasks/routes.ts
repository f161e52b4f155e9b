import { currentContext } from "../../../../platform/http/context.ts";
import { callForFile, type Fetch } from "../../../../platform/http/call.ts";
import { type User, userOf } from "../../../../platform/http/caller.ts";
import { BadRequest, TooLarge } from "../../../../platform/http/errors.ts";
import { readUpload } from "../../../../platform/http/read-upload.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import type { ModelKind } from "../../../completion/contract-model-kinds.ts";
import {
  MAX_RECORDING_BYTES,
  type RecordingHead,
  tasksContract,
} from "../../../completion/contract-tasks.ts";
import type { PermittedUse } from "../../permitted-use.ts";
import type { Budgets } from "../../usage/budgets.ts";
import { openAiTasksContract as contract, RecordingFields } from "./contract.ts";

interface Deps {
  completion: Fetch;
  use: PermittedUse;
  budgets: Budgets;
  /** Until an answer begins. */
  timeoutMs: number;
}

const MEBIBYTE = 1024 * 1024;

/** OpenAI's API of images, sound and moderation. */
export function openAiTaskRoutes(routes: Routes, deps: Deps): void {
  const passOn =
    (kind: ModelKind, route: (typeof tasksContract)["speak" | "makeImages" | "moderate"]) =>
    async ({ body, caller, signal }: Asked): Promise<Response> => {
      const user = userOf(caller);
      const { model: name, ...request } = body;
      const model = await chooseModel(deps, user, name ?? undefined, kind);
      const asked = { model, request: withoutNulls(request), userId: user.userId };
      const { timeoutMs } = deps;
      return callForFile(deps.completion, route, { body: asked }, { signal, timeoutMs });
    };
  const recording =
    (task: RecordingHead["task"]) =>
    async ({ request, caller, signal }: Uploaded): Promise<Response> => {
      const user = userOf(caller);
      const { fields, stored } = await readUpload(request, readRecording, {
        anyOrder: true,
      });
      const head = await describe(deps, user, task, fields, stored);
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), stored.bytes]);
      const options = { signal, timeoutMs: deps.timeoutMs, bytes };
      return callForFile(deps.completion, tasksContract.transcribe, {}, options);
    };
  routes
    .on(contract.openAiImages, passOn("image", tasksContract.makeImages))
    .on(contract.openAiSpeech, passOn("speech", tasksContract.speak))
    .on(contract.openAiModeration, passOn("moderation", tasksContract.moderate))
    .on(contract.openAiTranscription, recording("transcriptions"))
    .on(contract.openAiTranslation, recording("translations"));
}

interface Asked {
  body: { model?: string | null | undefined };
  caller: Parameters<typeof userOf>[0];
  signal: AbortSignal;
}

interface Uploaded {
  request: Request;
  caller: Parameters<typeof userOf>[0];
  signal: AbortSignal;
}

interface Recording {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** @throws TooManyRequests `budget_exceeded`, NotFound `model_unknown`, Forbidden. */
async function chooseModel(
  { use, budgets }: Deps,
  user: User,
  name: string | undefined,
  kind: ModelKind,
): Promise<string> {
  await budgets.check({ userId: user.userId });
  return (await use.chooseModel(user, name, kind)).model;
}

/** `null` in a field means what its absence means; providers refuse some. */
function withoutNulls(request: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
}

async function readRecording(file: {
  name: string;
  type?: string;
  body: AsyncIterable<Uint8Array>;
}): Promise<Recording> {
  const share = currentContext()?.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.body) {
    size += chunk.byteLength;
    if (size > MAX_RECORDING_BYTES) throw tooLarge();
    share?.take(chunk.byteLength);
    chunks.push(chunk);
  }
  const { name, type = "application/octet-stream" } = file;
  return {
    name: name.slice(0, 300),
    type: type.slice(0, 200),
    bytes: Buffer.concat(chunks),
  };
}

async function describe(
  deps: Deps,
  user: User,
  task: RecordingHead["task"],
  given: Record<string, string>,
  { name, type }: Recording,
): Promise<RecordingHead> {
  const known = RecordingFields.safeParse(given);
  if (!known.success) {
    const [issue] = known.error.issues;
    throw fieldInvalid(String(issue?.path[0]), issue?.message ?? "");
  }
  if (given["stream"] !== undefined && given["stream"] !== "false")
    throw fieldInvalid("stream", "the answer is sent whole, so leave it out");
  const { model: asked, stream: _, ...fields } = given;
  const model = await chooseModel(deps, user, asked, "transcription");
  return { model, userId: user.userId, task, fields, name, type };
}

function fieldInvalid(field: string, reason: string): BadRequest {
  return new BadRequest("validation_failed", `Correct the field "${field}": ${reason}.`);
}

function tooLarge(): TooLarge {
  const max = MAX_RECORDING_BYTES / MEBIBYTE;
  return new TooLarge(
    "recording_too_large",
    `A recording has at most ${max} MB here. Send a shorter or more compressed one.`,
    { params: { max } },
  );
}
