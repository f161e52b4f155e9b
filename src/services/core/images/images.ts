import { callForFile, type Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError, BadGateway, NotFound } from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { imageTypeOf } from "../../../platform/image-type.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { whoAnswered } from "../openai-api/media/naming-who.ts";
import { type FormFile, sendForm } from "../openai-api/media/send-form.ts";
import type { ConversationFile } from "../code/stored-files.ts";
import { keepImages, type KeepDeps, type MadeImage } from "./keep-images.ts";
import { type PictureOfFolder, type ReadDeps, readPictures } from "./read-pictures.ts";
import { mediaContract } from "../../completion/contract-media.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { ModelChooser } from "../catalogue/choose-model.ts";
import type { ActingUsers } from "../acting-users.ts";
import { type AffordDeps, chooseAffordable } from "../usage/afford-model.ts";

export interface ImagesDeps extends KeepDeps, ReadDeps, AffordDeps {
  completion: Fetch;
  models: Pick<ModelChooser, "list">;
  actingUsers: Pick<ActingUsers, "find">;
  timeoutMs: number;
}

export interface AskedImages {
  prompt: string;
  count: number;
  /** Such as 1024x1024. */
  size?: string | undefined;
  /** Default: the first that the user may use. */
  model?: string | undefined;
  /** Images to change. Absent: new ones are made. */
  images?: readonly FormFile[];
  /** Of what the model is given. */
  labels?: readonly CarriedLabel[];
}

export interface Made {
  images: MadeImage[];
  /** The id of the one that made them. */
  model: string;
}

/** Images by models of the catalogue, within the budgets of a user. */
export interface Images {
  /** Returns why no images can be made here. */
  lacks(): Promise<ApiError | undefined>;
  /** @throws ApiError of choosing a model, of budgets and of the completion service. */
  make(user: User, asked: AskedImages, signal: AbortSignal): Promise<Made>;
  /** The same for a user of whom a run knows the id alone. */
  makeFor(userId: string, asked: AskedImages, signal: AbortSignal): Promise<Made>;
  /** Keeps them as files of a conversation. @throws TooLarge `code_files_quota`. */
  keep(
    conversationId: string,
    images: readonly MadeImage[],
    title: string,
  ): Promise<ConversationFile[]>;
  /** Reads images of a conversation by their names. @throws as `readPictures`. */
  read(
    of: { userId: string; conversationId: string },
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<PictureOfFolder[]>;
  files: Files;
}

const MAX_ANSWER = { maxBytes: 64 * 1024 * 1024, maxValues: 10_000 };
/** Models that always answer with bytes refuse the field that asks for them. */
const ANSWERS_BYTES = /gpt-image/i;

export function createImages(deps: ImagesDeps): Images {
  const make: Images["make"] = async (user, asked, signal) => {
    const { userId } = user;
    const afforded = await chooseAffordable(deps, user, asked.model, "image");
    const { model } = afforded.chosen;
    const format: Record<string, string> = ANSWERS_BYTES.test(model)
      ? {}
      : { response_format: "b64_json" };
    const response = await send(deps, { model, userId }, asked, format, signal).catch(
      (error: unknown) => {
        // a deployment's name does not say what it is; nothing was made yet
        const isRefused = error instanceof ApiError && error.code === REFUSED;
        if (!isRefused || ANSWERS_BYTES.test(model)) throw error;
        return send(deps, { model, userId }, asked, {}, signal);
      },
    );
    const made = readImages(await readJson(response, MAX_ANSWER));
    return { images: made, model: whoAnswered(response, afforded) };
  };
  return {
    make,
    files: deps.files,
    keep: (conversationId, images, title) =>
      keepImages(deps, conversationId, images, title),
    read: (of, names, signal) => readPictures(deps, of, names, signal),
    makeFor: async (userId, asked, signal) =>
      make(await deps.actingUsers.find(userId), asked, signal),
    async lacks() {
      const all = await deps.models.list(async () => true, "any");
      return all.some(({ kind }) => kind === "image") ? undefined : noModel();
    },
  };
}

const REFUSED = "provider_refused_request";

function send(
  { completion, timeoutMs }: ImagesDeps,
  { model, userId }: { model: string; userId: string },
  { prompt, count, size, images, labels }: AskedImages,
  format: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const options = { signal, timeoutMs };
  const carried = labels && labels.length > 0 && { labels: [...labels] };
  const request = { prompt, n: count, ...(size && { size }), ...format };
  if (!images) {
    const body = { model, userId, request, ...carried };
    return callForFile(completion, mediaContract.makeImages, { body }, options);
  }
  const fields = Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, String(value)]),
  );
  const head = { model, userId, fields, ...carried };
  return sendForm(completion, mediaContract.editImages, head, images, options);
}

/** @throws BadGateway `images_invalid` */
function readImages(answer: unknown): MadeImage[] {
  const { data } = answer as { data?: { b64_json?: unknown }[] }; // the completion service checked that it is a list
  const images = (data ?? []).flatMap(({ b64_json: data64 }) =>
    typeof data64 === "string" ? [toImage(data64)] : [],
  );
  if (images.length === 0) throw withoutBytes();
  return images;
}

/** What providers make. */
const MADE_TYPES = ["image/png", "image/jpeg", "image/webp"];

/** By the first bytes, which no answer of a provider says reliably. */
function toImage(data: string): MadeImage {
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  const mediaType = imageTypeOf(bytes);
  if (!mediaType || !MADE_TYPES.includes(mediaType)) throw withoutBytes();
  return { mediaType, bytes };
}

function noModel(): NotFound {
  return new NotFound(
    "image_model_missing",
    "There is no model here that makes images. Ask an administrator to add one under Administration, " +
      "Models.",
  );
}

function withoutBytes(): BadGateway {
  return new BadGateway(
    "images_invalid",
    "The provider did not answer with images as PNG, JPEG or WebP. Choose another model.",
  );
}
