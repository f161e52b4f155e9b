import type { Routes } from "../../../platform/http/routes.ts";
import { FormHead, RecordingHead, tasksContract } from "../contract-tasks.ts";
import type { TaskDeps } from "./ask-model.ts";
import { editImages, makeImages } from "./images.ts";
import { moderate } from "./moderate.ts";
import { readForm } from "./read-form.ts";
import { speak, transcribe } from "./sound.ts";

export function taskRoutes(routes: Routes, deps: TaskDeps): Routes {
  return routes
    .on(tasksContract.makeImages, ({ body, signal }) => makeImages(deps, body, signal))
    .on(tasksContract.speak, ({ body, signal }) => speak(deps, body, signal))
    .on(tasksContract.moderate, ({ body, signal }) => moderate(deps, body, signal))
    .on(tasksContract.editImages, async ({ request, signal }) => {
      const { head, files } = await readForm(request, FormHead);
      return editImages(deps, head, files, signal);
    })
    .on(tasksContract.transcribe, async ({ request, signal }) => {
      const { head, files } = await readForm(request, RecordingHead);
      return transcribe(deps, head, files, signal);
    });
}
