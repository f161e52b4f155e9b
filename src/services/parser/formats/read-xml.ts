import { Parser } from "htmlparser2";

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads XML as it comes. Entities of its own and document types mean nothing here, so no file expands into another or reads one.
 * Handlers may return early by throwing `STOP`.
 */
export async function readXml(pieces: AsyncIterable<string> | Iterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handlers.open?.(name, attributes),
      ontext: (text) => handlers.text?.(text),
      onclosetag: (name) => handlers.close?.(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  try {
    for await (const piece of pieces) parser.write(piece);
    parser.end();
  } catch (error) {
    if (error !== STOP) throw error;
  }
}

/** Thrown by a handler that has seen enough. */
export const STOP = Symbol("enough");

/** The part of a name after its prefix: files choose their own prefixes. */
export function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}
