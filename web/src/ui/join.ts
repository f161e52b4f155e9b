/** Class names as one text; what is false or absent is left out. */
export function join(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
