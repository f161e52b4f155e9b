import { FormData } from "undici";
import { imageTypeOf } from "../../../platform/image-type.ts";
import type { MediaContent, MediaFile } from "../providers/media-endpoint.ts";

/** The files with images as what they are: clients declare any type, which providers refuse. */
export function withTypes<File extends MediaFile>(files: readonly File[]): File[] {
  return files.map((file) => ({ ...file, type: imageTypeOf(file.bytes) ?? file.type }));
}

/** A request in OpenAI's form to a model. */
export function toBody(
  content: MediaContent,
  model: string,
): { type?: string; body: string | FormData } {
  if ("json" in content) {
    const body = JSON.stringify({ ...content.json, model });
    return { type: "application/json", body };
  }
  const form = new FormData();
  for (const { field, name, type, bytes } of content.files)
    form.append(field, new Blob([bytes], { type }), name);
  for (const [field, value] of Object.entries(content.fields))
    // a name with [] stands for a list
    for (const one of field.endsWith("[]") ? value.split(",") : [value])
      form.append(field, one);
  form.set("model", model);
  return { body: form };
}
