import figtree from "../ui/fonts/figtree-latin.woff2?inline";

const NAME = "Figtree";

/** What diagrams and charts are set in. A file that is saved falls back to what is there. */
export const TYPEFACE = `${NAME}, system-ui, sans-serif`;

/**
 * Makes the typeface of the app known to the frame, before text is measured. Its bytes come with
 * the script: the policy of the frame lets it load no font, and so none of a hostile text either.
 */
export async function loadTypeface(): Promise<void> {
  const base64 = figtree.slice(figtree.indexOf(",") + 1);
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const face = new FontFace(NAME, bytes, { weight: "400 700" });
  document.fonts.add(await face.load());
}
