import { callForFile, type Fetch } from "../../../platform/http/call.ts";
import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { mediaContract } from "../../completion/contract-media.ts";
import { conversationFor, type AccessDeps } from "../conversations/access.ts";
import { readFiles } from "../openai-api/media/send-form.ts";
import { namingWho } from "../openai-api/media/naming-who.ts";
import { type AffordDeps, chooseAffordable } from "../usage/afford-model.ts";
import { imagesContract as contract, TranscriptionFields } from "./contract.ts";
import type { Images } from "./images.ts";
import { transcribe } from "./transcribe.ts";

interface Deps extends AccessDeps, AffordDeps {
  images: Images;
  completion: Fetch;
  /** Until an answer begins. */
  timeoutMs: number;
}

/** Images and sound by models, for people and programs. */
export function imagesRoutes(routes: Routes, deps: Deps): Routes {
  const { images, completion, timeoutMs } = deps;
  return routes
    .on(contract.generateImages, async ({ body, caller, signal }) => {
      const user = userOf(caller);
      const { conversationId, prompt, ...asked } = body;
      if (conversationId !== undefined)
        await conversationFor(deps, user, conversationId, "editor");
      const { images: made, model } = await images.make(user, { prompt, ...asked }, signal);
      const kept =
        conversationId === undefined ? [] : await images.keep(conversationId, made, prompt);
      return {
        model,
        images: made.map(({ mediaType, bytes }, at) => {
          const file = kept[at];
          return {
            mediaType,
            data: Buffer.from(bytes).toString("base64"),
            ...(file && { file: { id: file.id, name: file.name } }),
          };
        }),
      };
    })
    .on(contract.makeSpeech, async ({ body, caller, signal }) => {
      const user = userOf(caller);
      const { text: input, voice, format } = body;
      const afforded = await chooseAffordable(deps, user, body.model, "speech");
      const request = { input, voice, response_format: format };
      const asked = { model: afforded.chosen.model, userId: user.userId, request };
      const options = { signal, timeoutMs };
      const route = mediaContract.speak;
      return namingWho(
        await callForFile(completion, route, { body: asked }, options),
        afforded,
      );
    })
    .on(contract.makeTranscription, async ({ request, caller, signal }) => {
      const user = userOf(caller);
      const { known, files } = await readFiles(request, TranscriptionFields, 1);
      return transcribe(deps, user, { files, ...known }, signal);
    });
}
