import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../src/platform/db/database.ts";
import { testDatabase } from "../../../src/platform/testing/database.ts";
import { createWorkers } from "../../../src/platform/workers/workers.ts";
import { cutOptionsOf } from "../../../src/services/embedding/cut-options.ts";
import { indexDocument } from "../../../src/services/embedding/index/index-document.ts";
import type { EmbeddingModel } from "../../../src/services/embedding/models/embedding-model.ts";
import { retrieve, type RetrieveDeps } from "../../../src/services/retrieval/retrieve.ts";
import { createBm25 } from "../bm25.ts";
import { configuredModel, openStore, retrievalOver } from "../store.ts";
import { filingPages, textOf } from "./filing.ts";
import { fileNameOf, type Page } from "./layout.ts";
import { type FilingQuestion, listFilings, questionsOf } from "./questions.ts";

/** What one way found for one question. */
export interface FilingAnswer {
  question: string;
  half: "work" | "scored";
  how: string;
  /** Whether the right filing, one of its right pages, and all of them are among the first five. */
  filing: number;
  page: number;
  allPages: number;
}

interface Found {
  fileName: string;
  page: number;
}

const FIRST = 5;
const CHUNKS = 50;
const SEARCH_TIMEOUT_MS = 60_000;

/**
 * Indexes generated filings as the product does and asks for their pages, by each engine and, over
 * the same chunks with the same titles, by BM25. A page is as good as its best chunk.
 */
export async function filingsQuality(): Promise<FilingAnswer[]> {
  await using db = await testDatabase();
  const model = configuredModel();
  const questions = await indexFilings(db, model);
  const ways = {
    BM25: await byBm25(db, questions),
    ...byEngines(retrievalOver(db, model, noRerank)),
  };
  const answers: FilingAnswer[] = [];
  for (const [how, find] of Object.entries(ways))
    for (const question of questions)
      answers.push({ ...judge(question, await find(question.text)), how });
  return answers;
}

/** @returns the questions about the filings. */
export async function indexFilings(
  db: Database,
  model: EmbeddingModel,
): Promise<FilingQuestion[]> {
  const pages = new Map<string, Page[]>();
  for (const filing of listFilings()) pages.set(fileNameOf(filing), filingPages(filing));
  await openStore(db, model);
  await using workers = createWorkers({ size: 1 });
  for (const [fileName, of] of pages)
    await indexText(db, workers, model, fileName, textOf(of));
  return questionsOf((filing) => pages.get(fileNameOf(filing)) ?? []);
}

export function judge(
  { text, half, fileName, pages }: FilingQuestion,
  found: readonly Found[],
): Omit<FilingAnswer, "how"> {
  const filings = [...new Set(found.map((one) => one.fileName))].slice(0, FIRST);
  const keys = [...new Set(found.map((one) => `${one.fileName} ${one.page}`))];
  const right = pages.filter((page) =>
    keys.slice(0, FIRST).includes(`${fileName} ${page}`),
  );
  return {
    question: text,
    half,
    filing: Number(filings.includes(fileName)),
    page: Number(right.length > 0),
    allPages: Number(right.length === pages.length),
  };
}

type Way = (question: string) => Promise<Found[]>;

export function byEngines(deps: RetrieveDeps): Record<string, Way> {
  const way =
    (engineName: "default" | "hybrid"): Way =>
    async (query) => {
      const { results } = await retrieve(
        deps,
        {
          grade: 0,
          similarityTopK: CHUNKS,
          window: 0,
          engineName,
          query,
          userId: undefined,
        },
        { kind: "all" },
        AbortSignal.timeout(SEARCH_TIMEOUT_MS),
      );
      return results.map(({ metadata: { fileName, pageNumber } }) => ({
        fileName,
        page: pageNumber,
      }));
    };
  return { default: way("default"), hybrid: way("hybrid") };
}

interface StoredChunk extends Found {
  id: string;
  content: string;
  headings: string[];
}

/** Its chunks begin with the name of the file and their headings. */
async function byBm25(db: Database, questions: readonly FilingQuestion[]): Promise<Way> {
  const chunks = await db.query<StoredChunk>(sql`select c.id, d.file_name as "fileName",
      c.page_number as page, c.content, c.headings
    from documents.chunks c join documents.documents d on d.id = c.document_id
    order by d.id, c.chunk_index`);
  const rank = await createBm25(db, {
    name: "filings",
    language: "en",
    passages: chunks.map(({ id, fileName, content, headings }) => ({
      id,
      doc: id,
      cutFrom: fileName,
      title: [fileName, ...headings].join("\n"),
      text: content,
    })),
    questions: questions.map(({ text }) => ({ id: text, text })),
    answers: new Map(),
  });
  return async (question) =>
    rank(question, "en")
      .slice(0, CHUNKS)
      .flatMap((at) => chunks[at] ?? []);
}

export async function noRerank(): Promise<never> {
  throw new Error("no reranker is asked");
}

async function indexText(
  db: Database,
  workers: ReturnType<typeof createWorkers>,
  model: EmbeddingModel,
  fileName: string,
  text: string,
): Promise<void> {
  const [documentId, jobId] = [uuidv7(), uuidv7()];
  const sha256 = createHash("sha256").update(text).digest("hex");
  await db.query(sql`insert into documents.documents
      (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status, job_id)
    values (${documentId}, 'bench', 'default', ${fileName}, 'application/pdf', 1, ${sha256},
      ${documentId}, 'PROCESSED', ${jobId})`);
  const indexed = await indexDocument(
    {
      db,
      workers,
      models: { configured: model, find: async () => model },
      translator: { model: async () => null, toEnglish: async (one) => one },
      admit: async () => {},
    },
    {
      jobId,
      documentId,
      ownerId: undefined,
      text,
      options: cutOptionsOf({}),
      translate: false,
      report: async () => {},
      signal: new AbortController().signal,
    },
  );
  if (!indexed) throw new Error(`${fileName} was not indexed`);
}
