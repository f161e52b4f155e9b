import { z } from "zod";
import { BadRequest } from "../../../../platform/http/errors.ts";
import { MAX_BODY_BYTES } from "../../../../platform/http/route.ts";
import { readJsonText } from "../../../../platform/http/read-body.ts";
import { MAX_EDITED_IMAGES } from "../../../completion/contract-media.ts";
import type { FileReader } from "../../given-files/given-files.ts";
import { toImage } from "../to-image.ts";
import { EditFields } from "./contract.ts";
import type { FormFile } from "./send-form.ts";

/** An image in place of a file of a form. Source: OpenAI API reference, edits of images as JSON. */
const Reference = z.object({
  file_id: z.string().max(1_000).nullish(),
  image_url: z.string().max(MAX_BODY_BYTES).nullish(),
});
type Reference = z.output<typeof Reference>;
const MAX_FIELDS = 40;
const Field = z.union([z.string().max(32_000), z.number(), z.boolean()]);
const Edit = z.looseObject({
  images: z.array(Reference).min(1).max(MAX_EDITED_IMAGES),
  mask: Reference.nullish(),
});

export function isJson(request: Request): boolean {
  return /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
}

/**
 * Reads a request to edit images that names them, as the form of the same request.
 * @throws BadRequest `validation_failed`, `image_invalid`, and what `FileReader.read` throws.
 */
export async function readEdit(
  request: Request,
  reader: FileReader,
): Promise<{ fields: Record<string, string>; files: FormFile[] }> {
  const { images, mask, ...rest } = parse(
    Edit,
    parsed(await readJsonText(request, { maxBytes: MAX_BODY_BYTES })),
  );
  const given = Object.entries(rest).filter(([, value]) => value !== null);
  if (given.length > MAX_FIELDS) throw invalid("fields", `at most ${MAX_FIELDS}`);
  const fields = Object.fromEntries(
    given.map(([name, value]) => [name, String(parse(Field, value, name))]),
  );
  parse(EditFields, fields);
  const files: FormFile[] = [];
  for (const [at, image] of images.entries())
    files.push(await readImage(reader, image, "image", `image-${at + 1}`));
  if (mask) files.push(await readImage(reader, mask, "mask", "mask"));
  return { fields, files };
}

async function readImage(
  reader: FileReader,
  { file_id: fileId, image_url: url }: Reference,
  field: string,
  name: string,
): Promise<FormFile> {
  const read = fileId ? await reader.read({ fileId }) : undefined;
  const address = read && "picture" in read ? read.picture : url;
  if (!address)
    throw invalid(field, "it names no picture, by its file_id or as a data: URL");
  const { mediaType, data } = toImage(address);
  // nothing is fetched from an address that a client names
  if (data === undefined) throw invalid(field, "send it as a data: URL, or by its file_id");
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  const extension = mediaType.slice("image/".length);
  return { field, name: `${name}.${extension}`, type: mediaType, bytes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("body", "it is no JSON");
  }
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  field = "body",
): z.output<Schema> {
  const known = schema.safeParse(value);
  if (known.success) return known.data;
  const [issue] = known.error.issues;
  throw invalid(issue?.path.join(".") || field, issue?.message ?? "");
}

function invalid(field: string, reason: string): BadRequest {
  return new BadRequest("validation_failed", `Correct the field "${field}": ${reason}.`);
}
