import type { Routes } from "../../../platform/http/routes.ts";
import { FormHead, RecordingHead, mediaContract } from "../contract-media.ts";
import type { MediaDeps } from "./ask-media-model.ts";
import { editImages, makeImages } from "./images.ts";
import { moderate } from "./moderate.ts";
import { readForm } from "./read-form.ts";
import { speak, transcribe } from "./sound.ts";
import { writeText } from "./text.ts";

export function mediaRoutes(routes: Routes, deps: MediaDeps): Routes {
  return routes
    .on(mediaContract.makeImages, ({ body, signal }) => makeImages(deps, body, signal))
    .on(mediaContract.speak, ({ body, signal }) => speak(deps, body, signal))
    .on(mediaContract.moderate, ({ body, signal }) => moderate(deps, body, signal))
    .on(mediaContract.writeText, ({ body, signal }) => writeText(deps, body, signal))
    .on(mediaContract.editImages, async ({ request, signal }) => {
      const { head, files } = await readForm(request, FormHead);
      return editImages(deps, head, files, signal);
    })
    .on(mediaContract.transcribe, async ({ request, signal }) => {
      const { head, files } = await readForm(request, RecordingHead);
      return transcribe(deps, head, files, signal);
    });
}
