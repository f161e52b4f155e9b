import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { type Fetch, stream, call } from "../platform/http/call.ts";
import { retrievalContract } from "../services/retrieval/contract.ts";
import {
  EvaluatedQuestion,
  type EvaluationRequest,
  type Expected,
  type VariantFigures,
} from "../services/retrieval/contract-evaluation.ts";
import { type ClientOptions, signedInClient, uploadFile } from "./client.ts";
import {
  type EvaluationOptions,
  type EvaluationWays,
  readWays,
  type EvaluatedChunking,
} from "./evaluation-options.ts";
import { drawFigures, plotFigures } from "./plot-figures.ts";
import { uuidv7 } from "uuidv7";
import { allItems, type PageQuery } from "../platform/http/page.ts";
import { ApiError } from "../platform/http/errors.ts";
import { documentsContract } from "../services/documents/contract.ts";
import { embeddingContract } from "../services/embedding/contract.ts";
import { deleteAbandonedCopies, keepMarked } from "./abandoned-copies.ts";

interface EvaluateOptions extends ClientOptions, EvaluationOptions {
  plot?: string | undefined;
}

/** The longest time without an event: a language model may judge 50 candidates. */
const IDLE_TIMEOUT_MS = 300_000;
const MAX_MISSED_SHOWN = 5;
/** Copies are deleted when the command is stopped or its terminal is closed. */
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const QuestionSet = z.object({ questions: z.array(EvaluatedQuestion).min(1) });

/**
 * Measures retrieval by a set of questions with known answers, prints the figures as a table and,
 * with `--plot`, writes them as a picture.
 */
export async function evaluate(
  paths: readonly string[],
  options: EvaluateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const [path] = paths;
  if (path === undefined || paths.length > 1)
    throw new Error("Name one file with questions: parlance evaluate set.json");
  const ways = readWays(options);
  const questions = await readQuestions(path);
  const client = await signedInClient(options, env);
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error("The evaluation was interrupted."));
  for (const signal of INTERRUPTS) process.once(signal, interrupt);
  try {
    const figures = await measureAll(client, questions, ways, stop.signal);
    console.log(drawFigures(figures));
    for (const { name, missed } of figures) showMissed(name, missed);
    const warnings = figures.flatMap((one) => one.warnings.map(({ message }) => message));
    for (const warning of new Set(warnings)) console.error(warning);
    if (options.plot !== undefined) await writeFile(options.plot, plotFigures(figures));
    return 0;
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, interrupt);
  }
}

async function readQuestions(path: string): Promise<EvaluatedQuestion[]> {
  const text = await readFile(path, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON.`);
  }
  const read = QuestionSet.safeParse(value);
  if (read.success) return read.data.questions;
  const [issue] = read.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
}

async function measureAll(
  client: Fetch,
  questions: EvaluatedQuestion[],
  { engines, rerankers, chunkings }: EvaluationWays,
  signal: AbortSignal,
): Promise<VariantFigures[]> {
  const isRecut = chunkings.some(({ chunking }) => chunking !== undefined);
  const expected = questions.flatMap((question) => question.expected);
  // all chunkings search the same documents, so that the figures can be compared
  const found = isRecut
    ? await findExpected(client, expected)
    : new Map<Expected, string>();
  const originals = [...new Set(found.values())];
  const figures: VariantFigures[] = [];
  for (const { name, chunking } of chunkings) {
    await using copies =
      chunking && (await makeCopies(client, originals, chunking, signal));
    const idOf = (id: string) => copies?.ids.get(id) ?? id;
    const variants = engines.flatMap((engineName) =>
      rerankers.map((strategy) => ({
        name: nameOf(isRecut ? name : undefined, engineName, strategy),
        engineName,
        ...(strategy !== "none" && { rerank: { enabled: true, strategy } }),
        ...(isRecut && { docIds: originals.map(idOf) }),
      })),
    );
    const asked = questions.map((question) => ({
      ...question,
      expected: question.expected.map((one) => {
        const id = found.get(one);
        return id === undefined ? one : { passage: one.passage, documentId: idOf(id) };
      }),
    }));
    figures.push(...(await measure(client, { questions: asked, variants }, signal)));
  }
  return figures;
}

function nameOf(chunking: string | undefined, engine: string, reranker: string): string {
  const way = reranker === "none" ? engine : `${engine} + ${reranker}`;
  return chunking === undefined ? way : `${chunking}, ${way}`;
}

/** Follows one evaluation on the server; aborting ends it there, too. */
async function measure(
  client: Fetch,
  body: z.input<typeof EvaluationRequest>,
  signal: AbortSignal,
): Promise<VariantFigures[]> {
  const options = { signal, timeoutMs: IDLE_TIMEOUT_MS };
  for await (const batch of stream(client, retrievalContract.evaluate, { body }, options))
    for (const event of batch) {
      if (event.type === "result") return event.variants;
      if (event.type === "error") throw new Error(event.message);
      showProgress(event.done, event.total);
    }
  throw new Error("The server ended the evaluation without a result.");
}

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${done} of ${total} searches${done === total ? "\n" : ""}`);
}

function showMissed(name: string, missed: readonly string[]): void {
  if (missed.length === 0) return;
  console.log(`\n${name} finds no answer to:`);
  for (const question of missed.slice(0, MAX_MISSED_SHOWN)) console.log(`  ${question}`);
}

/** Copies of documents that are cut in another way; disposing deletes them. */
interface Copies extends AsyncDisposable {
  /** The ids of the copies, by those of the originals. */
  ids: ReadonlyMap<string, string>;
}

const TIMEOUT_MS = 600_000;

/**
 * Finds the documents that are expected, by their ids or names.
 * @throws Error that names what there is not.
 */
async function findExpected(
  client: Fetch,
  expected: readonly Expected[],
): Promise<Map<Expected, string>> {
  const byName = new Map<string, string | undefined>();
  const found = new Map<Expected, string>();
  for (const one of expected) {
    const { documentId, fileName } = one;
    if (documentId === undefined && fileName === undefined)
      throw new Error(
        "With --chunkings, name the document of each passage: documentId or fileName.",
      );
    if (fileName !== undefined && !byName.has(fileName))
      byName.set(fileName, await findByName(client, fileName));
    const id = documentId ?? byName.get(fileName ?? "");
    if (id === undefined)
      throw new Error(`There is no document "${fileName}" that you may read.`);
    found.set(one, id);
  }
  return found;
}

async function findByName(client: Fetch, fileName: string): Promise<string | undefined> {
  const query = fileName.slice(0, 200);
  const readOne = (page: PageQuery) =>
    call(client, documentsContract.list, { query: { ...page, query } });
  for await (const document of allItems(readOne))
    if (document.fileName === fileName) return document.id;
  return undefined;
}

/** Copies the texts of documents into a folder of their own and cuts them in another way. */
async function makeCopies(
  client: Fetch,
  ids: readonly string[],
  chunking: NonNullable<EvaluatedChunking>,
  signal: AbortSignal,
): Promise<Copies> {
  const name = `Evaluation ${uuidv7()}`;
  const folder = await call(client, documentsContract.createFolder, { body: { name } });
  const folderId = folder.id;
  const unmark = keepMarked(client, folder);
  const copies = new Map<string, string>();
  const deleteAll = async () => {
    unmark();
    for (const id of copies.values())
      await call(client, documentsContract.remove, { params: { id } });
    await call(client, documentsContract.deleteFolder, { params: { id: folderId } });
  };
  try {
    await deleteAbandonedCopies(client, folder);
    for (const id of ids) {
      signal.throwIfAborted();
      const text = await readMarkdown(client, id);
      const stub = new Blob([`Copy of the document ${id} for ${name}`]);
      const copy = await uploadFile(client, stub, `copy of ${id}.txt`, folderId);
      copies.set(id, copy.id);
      await stopAttempt(client, copy.id);
      const body = { documentId: copy.id, text, ...chunking };
      await call(
        client,
        embeddingContract.process,
        { body },
        { signal, timeoutMs: TIMEOUT_MS },
      );
    }
  } catch (error) {
    await deleteAll();
    throw error;
  }
  return { ids: copies, [Symbol.asyncDispose]: deleteAll };
}

/** The index of the uploaded bytes must not replace that of the text. */
async function stopAttempt(client: Fetch, id: string): Promise<void> {
  try {
    await call(client, documentsContract.stop, { params: { id } });
  } catch (error) {
    // it has ended already
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

async function readMarkdown(client: Fetch, id: string): Promise<string> {
  const path = documentsContract.markdown.path.replace(":id", id);
  const response = await client(new Request(`http://documents${path}`));
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(
    `The text of the document ${id} could not be read: ${text.slice(0, 500)}`,
  );
}
