import { useEffect, useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { readImageSize } from "./image-size.ts";
import { useMarkdownTexts } from "./texts.ts";

/** Pictures of pixels: one of vectors is a document of its own. */
const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,/i;
/** About 3 MB of picture. */
const MAX_CHARACTERS = 4_000_000;
const MAX_PIXELS = 25_000_000;

export function isDataImage(address: string): boolean {
  return DATA_IMAGE.test(address.slice(0, 40));
}

/** A picture that the text carries itself. It opens large. */
export function DataImage({ address, text }: { address: string; text: string }) {
  const texts = useMarkdownTexts();
  const [shown, setShown] = useState<string | null>();
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    const blob = toBlob(address);
    if (!blob) {
      setShown(null);
      return undefined;
    }
    const made = URL.createObjectURL(blob);
    setShown(made);
    return () => URL.revokeObjectURL(made);
  }, [address]);
  const name = text.trim() || texts.picture;
  if (shown === undefined) return null;
  if (shown === null) return <span className="text-muted">{texts.noPicture(name)}</span>;
  return (
    <>
      <button
        type="button"
        className="markdown-image"
        aria-label={texts.enlarge(name)}
        title={texts.enlarge(name)}
        onClick={() => setLarge(true)}
      >
        <img src={shown} alt="" onError={() => setShown(null)} />
      </button>
      {isLarge && (
        <Dialog title={name} size="large" onClose={() => setLarge(false)}>
          <img src={shown} alt={name} className="mx-auto h-auto max-w-full" />
        </Dialog>
      )}
    </>
  );
}

/** The bytes of a picture, if it is one, and not too large to be drawn. */
function toBlob(address: string): Blob | undefined {
  const head = DATA_IMAGE.exec(address.slice(0, 40));
  if (!head || address.length > MAX_CHARACTERS) return undefined;
  const bytes = decode(address.slice(head[0].length));
  const size = bytes && readImageSize(bytes);
  if (!size || size.width * size.height > MAX_PIXELS) return undefined;
  return new Blob([bytes], { type: `image/${head[1]?.toLowerCase()}` });
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined; // no base64, or cut off
  }
}
