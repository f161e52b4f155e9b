const BULLET = /^([•◦▪■●○‣⁃∙·➢✓❖◻□❑]|[–—*-](?=$|\s))\s*/;
const NUMBER = /^(\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{2,5}|[IVX]{2,5})[.)])(?=$|\s)\s*/;

/** The marker of a list item at the start of a line as Markdown, and the length of its text. */
export interface Marker {
  marker: string;
  length: number;
}

export function markerOf(text: string): Marker | undefined {
  const bullet = BULLET.exec(text);
  if (bullet) return { marker: "-", length: bullet[0].length };
  const number = NUMBER.exec(text);
  if (!number?.[1]) return undefined;
  const digits = /^\(?(\d+)[.)]$/.exec(number[1]);
  // Markdown has no markers with letters or Roman numerals: they stay text
  return digits?.[1]
    ? { marker: `${Number(digits[1])}.`, length: number[0].length }
    : { marker: "-", length: 0 };
}
