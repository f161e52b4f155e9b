import { symbolIn } from "../../symbol-fonts.ts";

/** Collects links, form fields and signs of fields. Source: RTF specification 1.9.1, "Fields". */
export function rtfFields() {
  /** The addresses of open link fields, for their results. */
  const links: (string | undefined)[] = [];
  let hasValue = false;
  /** The kind of a form field, its state or chosen entry (25 is the default), and its entries. */
  let form = { type: 0, result: 25, usual: 0, entries: [] as string[] };

  const formValue = () => {
    const chosen = form.result === 25 ? form.usual : form.result;
    if (form.type === 1) return chosen ? "☒" : "☐";
    return form.type === 2 ? form.entries[chosen] : undefined;
  };

  return {
    /** @returns whether the word describes a form field. */
    word(name: string, value = 0): boolean {
      if (name === "fftype") form.type = value;
      else if (name === "ffres") form.result = value;
      else if (name === "ffdefres") form.usual = value;
      else return false;
      return true;
    },
    addEntry(text: string): void {
      if (form.entries.length < 1_000) form.entries.push(text.trim());
    },
    /** Ends the instruction. @returns what the field shows, whatever its result is. */
    endInstruction(instruction: string): string | undefined {
      links.push(
        /HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction)?.[1] ??
          /HYPERLINK\s+([^\s"\\]{1,2000})/i.exec(instruction)?.[1],
      );
      const value = formValue() ?? symbolIn(instruction);
      hasValue = value !== undefined;
      form = { type: 0, result: 25, usual: 0, entries: [] };
      return value;
    },
    /** Begins the result, which may repeat the value that the field has shown. */
    startResult(): { isShown: boolean; href: string | undefined } {
      const isShown = hasValue;
      hasValue = false;
      return { isShown, href: links.pop() };
    },
  };
}
