import { toFileName } from "../../../../platform/file-name.ts";
import { z } from "zod";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { FlowRun } from "../provider.ts";
import type { AskLangflow } from "./client.ts";
import { checkedId, flowNotFound } from "./flows.ts";
import { read } from "./users.ts";

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
export async function withFiles(
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
