import { setImmediate } from "node:timers/promises";
import { readXml } from "@parlance/to-markdown/formats/read-xml.ts";

interface XmlLimits {
  maxBytes: number;
  maxElements: number;
}

/** The longest text of an element: a key of 1,024 bytes, or a sentence of an error. */
const MAX_TEXT_CHARACTERS = 4_096;
/** Bytes that are parsed in one turn of the event loop. */
const BYTES_PER_TURN = 64 * 1024;

/**
 * Reads an answer of XML as it arrives, and calls `onElement` at the end of each element with its
 * text. Stops reading when `onElement` throws.
 * @throws Error for an answer beyond the limits.
 */
export async function readElements(
  response: Response,
  { maxBytes, maxElements }: XmlLimits,
  onElement: (name: string, text: string) => void,
): Promise<void> {
  let text = "";
  let elements = 0;
  await readXml(textOf(response, maxBytes), {
    open() {
      text = "";
      elements += 1;
      if (elements > maxElements)
        throw new Error(`the answer has more than ${maxElements} elements`);
    },
    text(more) {
      if (text.length + more.length > MAX_TEXT_CHARACTERS)
        throw new Error("an element of the answer has too much text");
      text += more;
    },
    close(name) {
      onElement(name, text);
      text = "";
    },
  });
}

async function* textOf(response: Response, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    for (let at = 0; at < chunk.byteLength; at += BYTES_PER_TURN) {
      yield decoder.decode(chunk.subarray(at, at + BYTES_PER_TURN), { stream: true });
      await setImmediate();
    }
  }
  yield decoder.decode();
}
