import type { z } from "zod";
import { BadRequest, NotFound, TooLarge } from "../../../platform/http/errors.ts";
import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import type { Task } from "../../../platform/workers/task.ts";
import type { openAiEmbeddingsContract } from "./contract.ts";
import { embedTexts } from "../embed-texts.ts";
import { modelInUse } from "../index/embed-chunks.ts";
import { countCharacters } from "../models/local-model.ts";
import type { JobDeps } from "../index/take-job.ts";
import type readTokensTask from "./read-tokens-task.ts";

type Contract = typeof openAiEmbeddingsContract.openAiEmbeddings;
type EmbeddingsRequest = z.output<NonNullable<Contract["body"]>>;
type Answer = z.input<NonNullable<Contract["ok"]>>;

const READ_TOKENS: Task<typeof readTokensTask> = {
  file: new URL("./read-tokens-task.ts", import.meta.url),
  timeoutMs: 10_000,
  advice: "Send fewer tokens, or texts.",
};
/** Most numbers of all vectors of one answer, which is built in one piece. */
const MAX_NUMBERS = { float: 250_000, base64: 2_500_000 };

/**
 * @throws NotFound `model_not_found`, BadRequest `dimensions_fixed` and `tokens_unknown`, TooLarge
 *   `too_many_vectors`, and what `modelInUse`, `admit` and `embedTexts` throw.
 */
export async function answerEmbeddings(
  deps: JobDeps,
  body: EmbeddingsRequest,
  signal: AbortSignal,
  payer: string | undefined,
): Promise<Answer> {
  const { model } = await modelInUse(deps);
  if (body.model !== model.name) throw modelNotFound(body.model, model.name);
  if ((body.dimensions ?? model.dimensions) !== model.dimensions)
    throw dimensionsFixed(model);
  const format = body.encoding_format ?? "float";
  const inputs = listOf(body.input);
  const most = Math.floor(MAX_NUMBERS[format] / model.dimensions);
  if (inputs.length > most) throw tooManyVectors(most, format);

  const texts = await textsOf(deps, inputs, signal);
  const inputType = body.input_type ?? "passage";
  await deps.admit(model, payer, signal);
  const embeddings = await embedTexts(model, texts, inputType, signal, payer);
  const tokens = estimateTokens(countCharacters(texts));
  return {
    object: "list",
    data: embeddings.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: format === "base64" ? toBase64(vector) : vector,
    })),
    model: model.name,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

type Inputs = readonly string[] | readonly (readonly number[])[];

/** A list of numbers is one text, given as its tokens. */
function listOf(input: EmbeddingsRequest["input"]): Inputs {
  if (typeof input === "string") return [input];
  return isTokens(input) ? [input] : input;
}

function isTokens(input: Exclude<EmbeddingsRequest["input"], string>): input is number[] {
  return typeof input[0] === "number";
}

async function textsOf(
  { workers }: Pick<JobDeps, "workers">,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (areTexts(inputs)) return inputs;
  return workers.run(READ_TOKENS, inputs, { signal });
}

function areTexts(inputs: Inputs): inputs is readonly string[] {
  return typeof inputs[0] === "string";
}

function toBase64(vector: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, at) => bytes.setFloat32(at * 4, value, true));
  return Buffer.from(bytes.buffer).toString("base64");
}

function modelNotFound(asked: string, model: string): NotFound {
  return new NotFound(
    "model_not_found",
    `There is no embedding model "${asked}". Ask for "${model}", which indexes the documents.`,
  );
}

function dimensionsFixed({ name, dimensions }: { name: string; dimensions: number }) {
  return new BadRequest(
    "dimensions_fixed",
    `The vectors of ${name} have ${dimensions} numbers here. Leave "dimensions" out.`,
    { params: { dimensions } },
  );
}

function tooManyVectors(max: number, format: keyof typeof MAX_NUMBERS): TooLarge {
  const other = format === "float" ? ', or ask for "encoding_format": "base64"' : "";
  return new TooLarge(
    "too_many_vectors",
    `One answer holds at most ${max} vectors of this model. Send fewer texts at once${other}.`,
    { params: { max } },
  );
}
