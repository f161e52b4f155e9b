import { symbolIn } from "../symbol-fonts.ts";
import { type Element, attributeOf, childOf, elementsOf } from "../xml-tree.ts";

/** A field that is open while its runs are read. */
export interface Field {
  instruction: string;
  /** Whether its result has begun. */
  result: boolean;
  href?: string | undefined;
  /** What a form shows when the field has no text as its result. */
  shown?: string | undefined;
}

/**
 * Reads a mark of a field. @returns the value of a form field that ends without a result. Source:
 * ECMA-376 part 1, 17.16.
 */
export function readFieldMark(mark: Element, fields: Field[]): string | undefined {
  const type = attributeOf(mark, "fldCharType");
  if (type === "begin")
    fields.push({
      instruction: "",
      result: false,
      shown: formValue(childOf(mark, "ffData")),
    });
  const field = fields.at(-1);
  if (!field) return undefined;
  if (type === "separate") {
    field.result = true;
    field.href = hrefOf(field.instruction);
  }
  if (type !== "end") return undefined;
  fields.pop();
  return field.result ? field.shown : (field.shown ?? symbolIn(field.instruction));
}

export function hrefOf(instruction: string): string | undefined {
  return /^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction)?.[1];
}

/** What a form field shows: its box, its chosen entry, or the text that it begins with. */
function formValue(data: Element | undefined): string | undefined {
  const box = childOf(data, "checkBox");
  if (box) return boxOf(isOn(childOf(box, "checked") ?? childOf(box, "default")));
  const list = childOf(data, "ddList");
  if (list) {
    const chosen = childOf(list, "result") ?? childOf(list, "default");
    const entry = elementsOf(list, "listEntry")[Number(attributeOf(chosen, "val") ?? 0)];
    return attributeOf(entry, "val");
  }
  return attributeOf(childOf(data, "textInput", "default"), "val");
}

/** The state of a content control that is a check box; undefined for another one. */
export function checkBoxOf(properties: Element | undefined): string | undefined {
  const box = childOf(properties, "checkbox");
  return box && boxOf(isOn(childOf(box, "checked")));
}

function boxOf(isChecked: boolean): string {
  return isChecked ? "☒" : "☐";
}

function isOn(element: Element | undefined): boolean {
  return (
    element !== undefined && !/^(?:0|false|off)$/.test(attributeOf(element, "val") ?? "")
  );
}
