import { useState } from "react";
import { inlineAddress } from "./passage-queries.ts";
import type { StoredDocument } from "./queries.ts";

/** Formats that the server sends to be shown and every browser knows. */
const SHOWN = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"];

/** The picture of a document that is one; nothing where it cannot be shown. */
export function Picture({ document }: { document: StoredDocument }) {
  const { id, fileName, mimeType } = document;
  const [isBroken, setBroken] = useState(false);
  if (isBroken || !SHOWN.includes(mimeType)) return null;
  return (
    <img
      src={inlineAddress(id)}
      alt={fileName}
      onError={() => setBroken(true)}
      className="max-h-96 max-w-full justify-self-start rounded border border-hairline"
    />
  );
}
