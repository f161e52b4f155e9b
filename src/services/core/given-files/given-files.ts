import { call, type Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Forbidden, Unavailable } from "../../../platform/http/errors.ts";
import { SEEN_IMAGES } from "../../completion/contract-model-kinds.ts";
import type { FilePart } from "../../completion/contract.ts";
import type { TakenFiles } from "../../completion/contract-provider-kinds.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { FileId } from "../../documents/openai-api/contract-ids.ts";
import { parserContract } from "../../parser/contract.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { Labels } from "../labels/labels.ts";
import { ofDocument } from "../labels/read-resources.ts";
import { asText, PDF, PLAIN, type ReadFile } from "./as-text.ts";
import { readBase64 } from "./base64.ts";
import { readDocument } from "./read-document.ts";

/** A file in a message of a client: its bytes, or the id of a document. */
export interface GivenFile {
  fileId?: string | null | undefined;
  /** In base64, or a data: URL. */
  data?: string | null | undefined;
  name?: string | null | undefined;
  /** An address, which is not read. */
  url?: string | null | undefined;
}

/** Where a file stands. */
export interface Place {
  /** A message of the user: there models take files as they are. */
  ofUser?: boolean;
  /** Of a response before, which counted it. */
  isEarlier?: boolean;
}

/** Files of one request. */
export interface FileReader {
  /**
   * @throws BadRequest for what cannot be read, NotFound `document_not_found`, Forbidden, and what
   * the parser throws.
   */
  read(file: GivenFile, place?: Place): Promise<ReadFile>;
  /**
   * A recording, as the model takes it, else as its transcript.
   * @throws BadRequest `audio_unsupported`, and what the completion service throws.
   */
  hear(recording: Recording, place?: Place): Promise<ReadFile>;
  /** Of the documents that were read. */
  labels(): readonly CarriedLabel[];
}

/** `model`: the one that reads them, or an agent. Without it nothing is sent as it is. */
export type FilesOf = (
  user: User,
  asked: { model?: string | undefined; signal: AbortSignal },
) => FileReader;

export interface Recording {
  /** In base64. */
  data: string;
  mediaType: string;
  name?: string | null | undefined;
}

interface Deps {
  documents: Fetch | undefined;
  parser: Fetch | undefined;
  labels: Pick<Labels, "collect">;
  guard: Pick<Guard, "allows">;
  /** What the model or agent of this name takes as it is. @throws as choosing one. */
  takes: (user: User, model: string) => Promise<TakenFiles>;
  /** Undefined where there is no model that writes down recordings. */
  transcribe: (
    user: User,
    recording: Recording,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
}

/** Of one request. */
const MAX_FILES = 10;
/** Of files as they are, in base64: a request to the completion service has 12 MB. */
const MAX_AS_IS_CHARACTERS = 9_000_000;
const NONE: TakenFiles = { pdfBytes: 0, audio: [] };
/** A parse may wait for its turn. */
const PARSE_TIMEOUT_MS = 120_000;
/** Reads files that clients of other protocols put into messages. */
export function createFilesOf(deps: Deps): FilesOf {
  return (user, { model, signal }) => {
    let count = 0;
    let left = MAX_AS_IS_CHARACTERS;
    let labels: readonly CarriedLabel[] = [];
    let taken: Promise<TakenFiles> | undefined;
    const enter = ({ isEarlier = false }: Place) => {
      if (!isEarlier) count += 1;
      if (count > MAX_FILES) throw tooManyFiles();
    };
    const takenBy = ({ ofUser = false }: Place): Promise<TakenFiles> => {
      if (!ofUser || model === undefined) return Promise.resolve(NONE);
      taken ??= deps.takes(user, model);
      return taken;
    };
    /** The file as it is, if the request still has room for it. */
    const asIs = (file: Omit<FilePart, "type">): ReadFile | undefined => {
      if (file.data.length > left) return undefined;
      left -= file.data.length;
      return { file: { type: "file", ...file } };
    };
    const hear = async ({ data, mediaType, name }: Recording, place: Place) => {
      const { audio } = await takenBy(place);
      const named = name ? { name } : {};
      const sound = audio.includes(mediaType) && asIs({ data, mediaType, ...named });
      if (sound) return sound;
      const text = await deps.transcribe(user, { data, mediaType, name }, signal);
      if (text === undefined) throw audioUnsupported(model ?? "", mediaType);
      return asText(name || "recording", text);
    };
    const readData = async (
      { data: given, name }: GivenFile,
      place: Place,
    ): Promise<ReadFile> => {
      const data = readBase64(given ?? "");
      if (data === undefined) throw nothingGiven();
      const fileName = name || "file";
      const type = typeIn(given ?? "", data);
      if (type && SEEN_IMAGES.includes(type))
        return { picture: `data:${type};base64,${data}` };
      if (type?.startsWith("audio/")) return hear({ data, mediaType: type, name }, place);
      if (type && PLAIN.test(type))
        return asText(fileName, new TextDecoder().decode(Buffer.from(data, "base64")));
      if (type === PDF) {
        const { pdfBytes } = await takenBy(place);
        const isTaken = Buffer.byteLength(data, "base64") <= pdfBytes;
        const file = isTaken && asIs({ data, mediaType: PDF, name: fileName });
        if (file) return file;
      }
      return parse(deps, user, { data, fileName }, signal);
    };
    return {
      labels: () => labels,
      async hear(recording, place = {}) {
        enter(place);
        const data = readBase64(recording.data);
        if (data === undefined) throw nothingGiven();
        return hear({ ...recording, data }, place);
      },
      async read(file, place = {}) {
        enter(place);
        if (file.url) throw addressUnsupported();
        if (typeof file.data === "string") return readData(file, place);
        const id = FileId.safeParse(file.fileId ?? "").data;
        if (id === undefined) throw nothingGiven();
        if (!(await deps.guard.allows("document:read", user))) throw readingRefused();
        const { pdfBytes } = await takenBy(place);
        const pdf = (data: string, name: string) => asIs({ data, mediaType: PDF, name });
        const most = Math.min(pdfBytes, left);
        const read = await readDocument(deps, user, { id, most, pdf }, signal);
        labels = await deps.labels.collect(
          { userId: user.userId },
          [ofDocument(id)],
          labels,
        );
        return read;
      },
    };
  };
}

/** In base64. Clients name many files by no type, or by a general one. */
const BEGINNINGS: [RegExp, string][] = [
  [/^JVBERi0/, PDF],
  [/^UklGR.{7}XQVZF/, "audio/wav"],
  [/^SUQz/, "audio/mpeg"],
  [/^ZkxhQ/, "audio/flac"],
  [/^T2dnU/, "audio/ogg"],
];
const USUAL_NAMES: Record<string, string> = {
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/x-flac": "audio/flac",
};

function typeIn(given: string, data: string): string | undefined {
  const said = /^\s*data:([\w.+-]+\/[\w.+-]+)/i.exec(given.slice(0, 400))?.[1];
  const type = said?.toLowerCase();
  if (type !== undefined && type !== "application/octet-stream")
    return USUAL_NAMES[type] ?? type;
  return BEGINNINGS.find(([pattern]) => pattern.test(data.slice(0, 40)))?.[1];
}

async function parse(
  { parser }: Deps,
  { userId }: User,
  { data, fileName }: { data: string; fileName: string },
  signal: AbortSignal,
): Promise<ReadFile> {
  if (!parser) throw cannotRead(fileName);
  const { text } = await call(
    parser,
    parserContract.readText,
    { body: { userId, fileName, data } },
    { signal, timeoutMs: PARSE_TIMEOUT_MS },
  );
  return asText(fileName, text);
}

function audioUnsupported(model: string, mediaType: string): BadRequest {
  return new BadRequest(
    "audio_unsupported",
    `The model ${model} takes no ${mediaType}, and there is no model that you may use which writes ` +
      "recordings down. Choose a model that hears, or send the text.",
    { params: { model, mediaType } },
  );
}

function tooManyFiles(): BadRequest {
  return new BadRequest(
    "too_many_given_files",
    `The messages of one request have at most ${MAX_FILES} files. Leave some out, or send their text.`,
    { params: { max: MAX_FILES } },
  );
}

function nothingGiven(): BadRequest {
  return new BadRequest(
    "given_file_missing",
    "A file in a message is there neither in base64 nor by the id of an uploaded one. Send one of them.",
  );
}

function addressUnsupported(): BadRequest {
  return new BadRequest(
    "document_unsupported",
    "A file is not read from an address here. Send it in base64 or its text, or upload it to " +
      "/v1/files and send its id.",
  );
}

function cannotRead(name: string): Unavailable {
  return new Unavailable(
    "file_not_readable_here",
    `There is no parser here that reads "${name}". Send its text.`,
  );
}

function readingRefused(): Forbidden {
  return new Forbidden(
    "permission_missing",
    "Your roles, or the scopes of the key, do not permit document:read. Send the file itself.",
  );
}
