import { setImmediate } from "node:timers/promises";
import { Parser } from "htmlparser2";

interface XmlLimits {
  maxBytes: number;
  maxElements: number;
}

/** The longest text of an element that is kept: a key of 1,024 bytes, or a sentence of an error. */
const MAX_TEXT_CHARACTERS = 4_096;
/** What is parsed in one turn of the event loop. */
const TURN_BYTES = 64 * 1024;

/**
 * Reads a body of XML as it arrives, and calls `ended` for each element when it ends, with its own
 * text. Leaves the rest of the body where `ended` throws.
 * @throws Error beyond the limits.
 */
export async function readXml(
  response: Response,
  { maxBytes, maxElements }: XmlLimits,
  ended: (name: string, text: string) => void,
): Promise<void> {
  const parser = parserOf(maxElements, ended);
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
    for (let at = 0; at < chunk.byteLength; at += TURN_BYTES) {
      parser.write(decoder.decode(chunk.subarray(at, at + TURN_BYTES), { stream: true }));
      await setImmediate();
    }
  }
  parser.end(decoder.decode());
}

function parserOf(maxElements: number, ended: (name: string, text: string) => void): Parser {
  let text = "";
  let elements = 0;
  return new Parser(
    {
      onopentag: () => {
        text = "";
        elements += 1;
        if (elements > maxElements)
          throw new Error(`an answer of more than ${maxElements} elements`);
      },
      ontext: (more) => {
        if (text.length + more.length > MAX_TEXT_CHARACTERS)
          throw new Error("an answer with an element of too much text");
        text += more;
      },
      onclosetag: (name) => {
        ended(name, text);
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}
