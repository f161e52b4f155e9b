import type { Routes } from "../../../platform/http/routes.ts";
import { BadRequest, TooLarge } from "../../../platform/http/errors.ts";
import { currentContext } from "../../../platform/http/context.ts";
import { uploadedBytes } from "../../../platform/http/read-body.ts";
import { MAX_RECORDING_BYTES, RecordingHead, tasksContract } from "../contract-tasks.ts";
import type { TaskDeps } from "./ask-model.ts";
import { makeImages, moderate, speak, transcribe } from "./run-tasks.ts";

const LINE_FEED = 10;
const MAX_HEAD_BYTES = 1024 * 1024;

export function taskRoutes(routes: Routes, deps: TaskDeps): Routes {
  return routes
    .on(tasksContract.makeImages, ({ body, signal }) => makeImages(deps, body, signal))
    .on(tasksContract.speak, ({ body, signal }) => speak(deps, body, signal))
    .on(tasksContract.moderate, ({ body, signal }) => moderate(deps, body, signal))
    .on(tasksContract.transcribe, async ({ request, signal }) => {
      const { head, bytes } = await readRecording(request);
      return transcribe(deps, head, bytes, signal);
    });
}

/** A line of JSON, then the recording. */
async function readRecording(request: Request) {
  const whole = await readBytes(request, MAX_HEAD_BYTES + MAX_RECORDING_BYTES);
  const end = whole.indexOf(LINE_FEED);
  if (end === -1) throw headInvalid();
  const head = RecordingHead.safeParse(parsed(whole.subarray(0, end)));
  if (!head.success) throw headInvalid();
  return { head: head.data, bytes: whole.subarray(end + 1) };
}

async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const share = currentContext()?.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of uploadedBytes(request)) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new TooLarge(
        "body_too_large",
        "The recording is too large. Send a shorter one.",
      );
    share?.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(line).toString());
  } catch {
    return undefined;
  }
}

function headInvalid(): BadRequest {
  return new BadRequest(
    "recording_invalid",
    "The body must be one line of JSON, which describes the recording, and then its bytes.",
  );
}
