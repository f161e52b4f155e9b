import {
  BadGateway,
  BadRequest,
  GatewayTimeout,
} from "../../../../platform/http/errors.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import type { FlowRun, RunPart } from "../provider.ts";
import type { AskLangflow } from "./client.ts";
import { checkedId, flowNotFound } from "./flows.ts";
import { readRun } from "./read-run.ts";
import { toFileName } from "../../../../platform/file-name.ts";
import { z } from "zod";
import { read } from "./users.ts";

interface Deps {
  ask: AskLangflow;
  log: Logger;
  /** The time limit of a whole run. */
  timeoutMs: number;
}

/**
 * Runs a flow, always as a stream, because disconnecting then ends the run at Langflow too. `/run`
 * accepts only an API key, and answers 200 even to a body that it cannot read, so every field is
 * sent. A run is never retried, since a flow may have side effects. See
 * `langflow/api/v1/endpoints.py` at 1.10.1.
 * @throws BadRequest `flow_input_refused`, NotFound `flow_not_found`, and what the client throws;
 * while reading BadGateway `flow_failed`, `flow_cut`, GatewayTimeout `flow_timeout`.
 */
export async function runFlow(
  { ask, log, timeoutMs }: Deps,
  key: string,
  run: FlowRun,
  signal: AbortSignal,
): Promise<AsyncIterable<RunPart[]>> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const until = AbortSignal.any([signal, clock.signal]);
  const late = (error: unknown) => {
    if (!signal.aborted && clock.signal.aborted)
      return new GatewayTimeout(
        "flow_timeout",
        "The flow did not end in time. Ask for less, or ask its owner.",
        {
          cause: error,
        },
      );
    return error;
  };
  let tidy: () => Promise<void> = async () => {};
  const end = async () => {
    clearTimeout(timer);
    await tidy().catch((error: unknown) =>
      log.debug({ err: error }, "files of a run could not be removed at the flow provider"),
    );
  };
  try {
    const files = await withFiles(ask, key, run, until);
    tidy = files.remove;
    const stream = await startRun(ask, key, { ...run, tweaks: files.tweaks }, until);
    return parts(stream, { signal, until, late, end, log });
  } catch (error) {
    await end();
    throw late(error);
  }
}

/** @returns what Langflow streams of the run. */
async function startRun(
  ask: AskLangflow,
  key: string,
  run: FlowRun,
  until: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const answer = await ask(
    {
      method: "POST",
      path: `/api/v1/run/${checkedId(run.flowId)}?stream=true`,
      as: { key },
      json: {
        input_value: run.input,
        input_type: run.inputType,
        output_type: run.outputType,
        session_id: run.sessionId,
        tweaks: run.tweaks,
      },
      streamed: true,
    },
    until,
  );
  if (answer.status === 404) throw flowNotFound();
  if (answer.status === 400 || answer.status === 422)
    throw new BadRequest(
      "flow_input_refused",
      "The flow provider refused the input or the tweaks of this run. Change them.",
    );
  if (!answer.stream)
    throw new BadGateway(
      "provider_invalid",
      "The flow provider answered a run in an unknown form. The operator must check its version.",
    );
  return answer.stream;
}

interface Reading {
  signal: AbortSignal;
  until: AbortSignal;
  late: (error: unknown) => unknown;
  end: () => Promise<void>;
  log: Logger;
}

async function* parts(
  stream: ReadableStream<Uint8Array>,
  { signal, until, late, end, log }: Reading,
): AsyncGenerator<RunPart[]> {
  try {
    yield* readRun(stream, log);
  } catch (error) {
    signal.throwIfAborted();
    const cause = late(error);
    if (cause instanceof BadGateway || until.aborted) throw cause;
    throw new BadGateway(
      "flow_cut",
      "The flow provider ended in the middle of a run. Run the flow again.",
      { cause },
    );
  } finally {
    // the provider may have ended it
    await stream.cancel().catch(() => {});
    await end();
  }
}

const MAX_NAME_CHARACTERS = 100;
const Nodes = z.object({
  data: z.object({
    nodes: z.array(
      z.looseObject({
        id: z.string(),
        data: z.looseObject({ type: z.string().optional() }).optional(),
      }),
    ),
  }),
});
const FlowFile = z.object({ file_path: z.string().min(1) });
const UserFile = z.object({ id: z.uuid(), path: z.string().min(1) });

interface Uploaded {
  path: string;
  /** The path that deletes the file. */
  at: string;
}

/**
 * Uploads the files of a run and assigns them by tweaks to the flow's chat input, or else to the
 * component that reads files.
 * @throws BadRequest `flow_takes_no_files`.
 */
async function withFiles(
  ask: AskLangflow,
  key: string,
  { flowId, files, tweaks = {} }: FlowRun,
  signal: AbortSignal,
): Promise<{ tweaks: Record<string, unknown>; remove: () => Promise<void> }> {
  if (files.length === 0) return { tweaks, remove: async () => {} };
  const flow = await ask(
    { method: "GET", path: `/api/v1/flows/${checkedId(flowId)}`, as: { key } },
    signal,
  );
  if (flow.status === 404) throw flowNotFound();
  const { nodes } = read(Nodes, 200, flow).data;
  const named = (type: string) => nodes.find(({ data }) => data?.type === type)?.id;
  const [chat, reader] = [named("ChatInput"), named("File")];
  const node = chat ?? reader;
  if (node === undefined)
    throw new BadRequest(
      "flow_takes_no_files",
      "This flow has neither a chat input nor a component that reads files. Send text alone.",
    );

  const uploaded: Uploaded[] = [];
  const remove = async () => {
    for (const { at } of uploaded)
      // the run is over; a file that stays is the provider's to delete
      await ask({ method: "DELETE", path: at, as: { key } }).catch(() => {});
  };
  try {
    for (const { name, mimeType, bytes } of files) {
      const file = { name: toLangflowName(name), mimeType: safeType(mimeType), bytes };
      uploaded.push(
        await (chat === undefined
          ? toUser(ask, key, file, signal)
          : toFlow(ask, key, flowId, file, signal)),
      );
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const field = chat === undefined ? "path" : "files";
  const given = tweaks[node];
  const own = typeof given === "object" && given !== null ? given : {};
  return {
    tweaks: { ...tweaks, [node]: { ...own, [field]: uploaded.map(({ path }) => path) } },
    remove,
  };
}

type SafeFile = { name: string; mimeType: string; bytes: Uint8Array };

async function toFlow(
  ask: AskLangflow,
  key: string,
  flowId: string,
  file: SafeFile,
  signal: AbortSignal,
): Promise<Uploaded> {
  const answer = await ask(
    { method: "POST", path: `/api/v1/files/upload/${flowId}`, as: { key }, file },
    signal,
  );
  const { file_path: path } = read(FlowFile, 201, answer);
  return {
    path,
    at: `/api/v1/files/delete/${flowId}/${encodeURIComponent(path.slice(path.lastIndexOf("/") + 1))}`,
  };
}

async function toUser(
  ask: AskLangflow,
  key: string,
  file: SafeFile,
  signal: AbortSignal,
): Promise<Uploaded> {
  const { id, path } = read(
    UserFile,
    201,
    await ask({ method: "POST", path: "/api/v2/files", as: { key }, file }, signal),
  );
  return { path, at: `/api/v2/files/${id}` };
}

/** Langflow uses the name in a header and in a path. */
function toLangflowName(name: string): string {
  return toFileName(name, MAX_NAME_CHARACTERS)
    .replace(/[^\p{L}\p{N}._ -]/gu, "_")
    .replace(/^\.+/, "_");
}

function safeType(mimeType: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : "application/octet-stream";
}
