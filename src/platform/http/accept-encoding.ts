/** The encodings that this server can send, the one with the smaller result first. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The best of the offered encodings that the client accepts (RFC 9110, 12.5.3). */
export function chooseEncoding(
  { headers }: Request,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | undefined {
  const header = headers.get("accept-encoding");
  if (header === null) return undefined;
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";")[0]?.trim()),
  );
  return ENCODINGS.find((encoding) => offered.includes(encoding) && accepted.has(encoding));
}
