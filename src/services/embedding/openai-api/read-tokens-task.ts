import { BadRequest } from "../../../platform/http/errors.ts";
import { once } from "../../../platform/single-flight.ts";
import { loadByteRanks } from "../chunking/byte-pairs.ts";

/** The bytes of each token, a character a byte. */
const loadTexts = once(async () => [...(await loadByteRanks()).keys()]);

/**
 * Turns tokens of cl100k_base into the texts that they stand for, in a worker process.
 * @throws BadRequest `tokens_unknown`.
 */
export default async function readTokensTask(
  inputs: readonly (readonly number[])[],
): Promise<string[]> {
  const bytesOf = await loadTexts();
  return inputs.map((tokens) =>
    Buffer.from(
      tokens.map((token) => bytesOf[token] ?? refuse(token)).join(""),
      "latin1",
    ).toString("utf8"),
  );
}

function refuse(token: number): never {
  throw new BadRequest(
    "tokens_unknown",
    `${token} is no token of a text in cl100k_base, which is how tokens are read here. Send texts.`,
    { params: { token } },
  );
}
