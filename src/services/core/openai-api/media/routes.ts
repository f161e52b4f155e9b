import { callForFile, type Fetch } from "../../../../platform/http/call.ts";
import { userOf } from "../../../../platform/http/caller.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import type { ModelKind } from "../../../completion/contract-model-kinds.ts";
import {
  MAX_EDITED_IMAGES,
  type RecordingHead,
  mediaContract,
} from "../../../completion/contract-media.ts";
import { type AffordDeps, chooseAffordable } from "../../usage/afford-model.ts";
import {
  EditFields,
  openAiMediaContract as contract,
  RecordingFields,
} from "./contract.ts";
import type { FilesOf } from "../../given-files/given-files.ts";
import { isJson, readEdit } from "./read-edit.ts";
import { namingWho } from "./naming-who.ts";
import { refuseSteering } from "../provider-fields.ts";
import { type FormFile, readFiles, sendForm } from "./send-form.ts";

interface Deps extends AffordDeps {
  completion: Fetch;
  filesOf: FilesOf;
  /** Until an answer begins. */
  timeoutMs: number;
}

/** OpenAI's API of images, sound and moderation. */
export function openAiMediaRoutes(routes: Routes, deps: Deps): void {
  const { completion, timeoutMs } = deps;
  const passOn =
    (kind: ModelKind, route: (typeof mediaContract)["speak" | "makeImages" | "moderate"]) =>
    async ({ body, caller, signal }: MediaRequest): Promise<Response> => {
      const user = userOf(caller);
      const { model: name, ...request } = body;
      refuseSteering(request);
      const afforded = await chooseAffordable(deps, user, name ?? undefined, kind);
      const { model } = afforded.chosen;
      const asked = { model, request: withoutNulls(request), userId: user.userId };
      const options = { signal, timeoutMs };
      return namingWho(
        await callForFile(completion, route, { body: asked }, options),
        afforded,
      );
    };
  const recording =
    (task: RecordingHead["task"]) =>
    async ({ request, caller, signal }: Uploaded): Promise<Response> => {
      const user = userOf(caller);
      const read = await readFiles(request, RecordingFields, 1);
      const { model: name, ...fields } = read.fields;
      refuseSteering(fields);
      const afforded = await chooseAffordable(deps, user, name, "transcription");
      const files = read.files.map((file) => ({ ...file, field: "file" }));
      const head = { model: afforded.chosen.model, userId: user.userId, task, fields };
      const route = mediaContract.transcribe;
      const options = { signal, timeoutMs };
      return namingWho(await sendForm(completion, route, head, files, options), afforded);
    };
  routes
    .on(contract.openAiImages, passOn("image", mediaContract.makeImages))
    .on(contract.openAiImageEdits, async ({ request, caller, signal }) => {
      const user = userOf(caller);
      const read = isJson(request)
        ? await readEdit(request, deps.filesOf(user, { signal }))
        : await readFiles(request, EditFields, MAX_EDITED_IMAGES + 1);
      const files = read.files.map(toImageFile);
      if (!files.some(({ field }) => field === "image")) throw imageMissing();
      const { model: name, ...fields } = read.fields;
      refuseSteering(fields);
      const afforded = await chooseAffordable(deps, user, name, "image");
      const head = { model: afforded.chosen.model, userId: user.userId, fields };
      const route = mediaContract.editImages;
      const options = { signal, timeoutMs };
      return namingWho(await sendForm(completion, route, head, files, options), afforded);
    })
    .on(contract.openAiSpeech, passOn("speech", mediaContract.speak))
    .on(contract.openAiModeration, passOn("moderation", mediaContract.moderate))
    .on(contract.openAiTranscription, recording("transcriptions"))
    .on(contract.openAiTranslation, recording("translations"));
}

interface MediaRequest {
  body: { model?: string | null | undefined };
  caller: Parameters<typeof userOf>[0];
  signal: AbortSignal;
}

interface Uploaded {
  request: Request;
  caller: Parameters<typeof userOf>[0];
  signal: AbortSignal;
}

/** `null` in a field means what its absence means; providers refuse some. */
function withoutNulls(request: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
}

/** Several are in fields with brackets. */
function toImageFile({ field, ...file }: FormFile): FormFile {
  return { ...file, field: field === "mask" ? "mask" : "image" };
}

function imageMissing(): BadRequest {
  return new BadRequest(
    "image_missing",
    'There is no image to change in the form. Send one in the field "image".',
  );
}
