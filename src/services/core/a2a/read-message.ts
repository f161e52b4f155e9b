import type { Message } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import type { FileReader } from "../given-files/given-files.ts";

const MAX_TEXT_CHARACTERS = 1_000_000;
const Decision = z.object({
  decision: z.enum(["approve", "deny"]),
  toolCallId: z.string().max(1_000).optional(),
});
type Decision = z.output<typeof Decision>;

/**
 * The text of a message, with that of its files.
 * @throws ContentTypeNotSupportedError for a picture, or a file at an address, and what
 * `FileReader.read` throws.
 */
export async function textOf({ parts }: Message, files: FileReader): Promise<string> {
  const texts: string[] = [];
  for (const { content, filename: name, mediaType } of parts) {
    if (content?.$case === "text") texts.push(content.value);
    else if (content?.$case === "data") texts.push(JSON.stringify(content.value));
    else if (content?.$case === "raw") {
      const type = MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream";
      const data = `data:${type};base64,${Buffer.from(content.value).toString("base64")}`;
      const read = await files.read({ data, name });
      if (!("text" in read)) throw notRead();
      texts.push(read.text);
    } else throw notRead();
  }
  const text = texts.join("\n\n");
  if (text.length > MAX_TEXT_CHARACTERS)
    throw new RequestMalformedError(
      `A message has at most ${MAX_TEXT_CHARACTERS} characters. Send less.`,
    );
  return text;
}

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function notRead(): ContentTypeNotSupportedError {
  return new ContentTypeNotSupportedError(
    "An agent reads text, data, and files that have text, in the message itself. Upload pictures as " +
      "documents, and give the agent those.",
  );
}

/** What a message decides. @throws RequestMalformedError for one that decides nothing. */
export function decisionOf({ parts }: Message): Decision {
  for (const { content } of parts) {
    const said =
      content?.$case === "text"
        ? { decision: content.value.trim().toLowerCase() }
        : content?.value;
    const decision = Decision.safeParse(said);
    if (decision.success) return decision.data;
  }
  throw new RequestMalformedError(
    'The task waits for a decision. Send the text "approve" or "deny", or data with `decision` and ' +
      "`toolCallId`.",
  );
}
