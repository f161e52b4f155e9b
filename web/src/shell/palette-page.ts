/** A page that the palette leads to. */
export interface PalettePage {
  to: string;
  label: string;
  /** The area that it is a part of. */
  area?: string;
}
