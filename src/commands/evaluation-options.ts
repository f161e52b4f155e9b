import { z } from "zod";
import { CHUNKING_METHODS } from "../services/embedding/contract-jobs.ts";
import { ENGINES } from "../services/retrieval/contract-retrieve.ts";

const RERANKERS = ["none", "bge", "llm"] as const;

const Chunking = z.object({
  method: z.enum(CHUNKING_METHODS),
  chunkSize: z.coerce.number().int().min(1).optional(),
  chunkOverlap: z.coerce.number().int().min(0).optional(),
});
/** `undefined`: as the documents are cut now. */
export type EvaluatedChunking = z.output<typeof Chunking> | undefined;

export interface EvaluationOptions {
  engines?: string | undefined;
  rerankers?: string | undefined;
  chunkings?: string | undefined;
}

export interface EvaluationWays {
  engines: (typeof ENGINES)[number][];
  rerankers: (typeof RERANKERS)[number][];
  chunkings: { name: string; chunking: EvaluatedChunking }[];
}

/** Reads what is compared. @throws Error that says what may be named. */
export function readWays(options: EvaluationOptions): EvaluationWays {
  const chunkings = (options.chunkings ?? "current").split(",").map((name) => ({
    name,
    chunking: name === "current" ? undefined : readChunking(name),
  }));
  return {
    engines: chooseFrom("--engines", options.engines ?? "default,hybrid", ENGINES),
    rerankers: chooseFrom("--rerankers", options.rerankers ?? "none", RERANKERS),
    chunkings,
  };
}

function chooseFrom<Name extends string>(
  option: string,
  given: string,
  names: readonly Name[],
): Name[] {
  const chosen = given.split(",").map((one) => names.find((name) => name === one));
  if (chosen.includes(undefined))
    throw new Error(
      `${option} takes ${names.join(", ")}, separated by commas; not "${given}".`,
    );
  return chosen.filter((one) => one !== undefined);
}

/** `semchunk:300:0` is the method, the size of a chunk and the overlap, in tokens. */
function readChunking(name: string): EvaluatedChunking {
  const [method, chunkSize, chunkOverlap] = name.split(":");
  const read = Chunking.safeParse({ method, chunkSize, chunkOverlap });
  if (read.success) return read.data;
  throw new Error(
    `--chunkings takes "current" and METHOD:SIZE:OVERLAP in tokens, separated by commas; the ` +
      `methods are ${CHUNKING_METHODS.join(", ")}. "${name}" is neither.`,
  );
}
