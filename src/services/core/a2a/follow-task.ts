import type { StreamResponse } from "@a2a-js/sdk";
import { z } from "zod";
import { streamReply } from "../replies/read-reply.ts";
import type { ReplyRow } from "../replies/store.ts";
import { messageOf, readTask, type TaskDeps, type TaskOptions } from "./find-task.ts";
import { fileArtifacts, textPart, toArtifact, toStatus } from "./to-task.ts";

/** The parts of streamed events that a task shows. */
const Streamed = z.looseObject({ delta: z.string().optional() });

/** The events of a task: as it is, what is added to its answer, and how it ended. */
export async function* followTask(
  deps: TaskDeps,
  { user, signal }: TaskOptions,
  reply: ReplyRow,
  historyLength: number | undefined,
): AsyncGenerator<StreamResponse, void, undefined> {
  const ids = { taskId: reply.id, contextId: reply.conversationId, metadata: undefined };
  const begun = await readTask(deps, reply.id, historyLength);
  yield { payload: { $case: "task", value: { ...begun, artifacts: [] } } };
  let isFirst = true;
  const events = streamReply(deps, user, reply, { from: 0, signal });
  for await (const texts of events) {
    const text = texts.flatMap(addedText).join("");
    if (text === "") continue;
    const artifact = toArtifact({ sources: [] }, text);
    const value = { ...ids, artifact, append: !isFirst, lastChunk: false };
    yield { payload: { $case: "artifactUpdate", value } };
    isFirst = false;
  }
  if (signal.aborted) return;
  const ended = await messageOf(deps, reply.id);
  if (!isFirst) {
    // with its sources, which are known now
    const artifact = { ...toArtifact(ended, ""), parts: [textPart("")] };
    const value = { ...ids, artifact, append: true, lastChunk: true };
    yield { payload: { $case: "artifactUpdate", value } };
  }
  for (const artifact of fileArtifacts(ended)) {
    const value = { ...ids, artifact, append: false, lastChunk: true };
    yield { payload: { $case: "artifactUpdate", value } };
  }
  const value = { ...ids, status: toStatus(ended) };
  yield { payload: { $case: "statusUpdate", value } };
}

/** The text that encoded events of a reply add to its answer. */
function addedText(encoded: string): string[] {
  return encoded.split("\n\n").flatMap((event) => {
    const [, data] = /^event: text_delta\ndata: (.*)$/s.exec(event) ?? [];
    if (data === undefined) return [];
    return Streamed.parse(JSON.parse(data)).delta ?? [];
  });
}
