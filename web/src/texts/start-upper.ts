/** With a capital letter at the start, as beside others in a list of choices. */
export function startUpper(text: string): string {
  const [first = "", ...rest] = text;
  return (
    first.toLocaleUpperCase(document.documentElement.lang || undefined) + rest.join("")
  );
}
