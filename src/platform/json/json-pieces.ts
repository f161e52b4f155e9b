import { setImmediate as nextTurn } from "node:timers/promises";

/** Characters that are written in one turn of the event loop. */
const PIECE_CHARACTERS = 64 * 1024;

/** JSON in pieces. Values that users make large are written without holding up the event loop. */
export type JsonPieces = Iterable<string>;

/** An object of members that are JSON already; `undefined` ones are left out. */
export function* objectPieces(
  members: Record<string, JsonPieces | undefined>,
): Generator<string> {
  let separator = "{";
  for (const [name, pieces] of Object.entries(members)) {
    if (!pieces) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* pieces;
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

/** The members of a small object. */
export function membersOf(value: object): Record<string, JsonPieces> {
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    given.map(([name, member]) => [name, [JSON.stringify(member)]]),
  );
}

export function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (const piece of slices(text)) yield escapedPiece(piece);
  yield '"';
}

/** A part of a string, as it stands between the quotation marks. */
export function escapedPiece(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A long text in parts. */
export function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS)
    yield text.slice(at, at + PIECE_CHARACTERS);
}

/**
 * A body that makes its next piece when the client has taken the previous one. A fast client takes
 * it at once, so others get their turn between the pieces.
 */
export function streamPieces(
  pieces: JsonPieces | AsyncIterable<string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(encode(pieces));
}

async function* encode(pieces: JsonPieces | AsyncIterable<string>) {
  const encoder = new TextEncoder();
  let written = 0;
  for await (const piece of pieces) {
    yield encoder.encode(piece);
    written += piece.length;
    if (written < PIECE_CHARACTERS) continue;
    written = 0;
    await nextTurn();
  }
}
