import { type Element, attributeOf, elementsOf, findAll, textIn } from "../xml-tree.ts";

const BOX = (isOn: boolean) => (isOn ? "☒" : "☐");

/** What the elements of a form show, by their ids. Source: ODF 1.3 part 3, 13. */
export function readControls(content: Element | undefined): Map<string, string> {
  const shown = new Map<string, string>();
  for (const forms of findAll(content, "forms"))
    for (const control of controlsIn(forms)) {
      const text = valueOf(control);
      const id = attributeOf(control, "id");
      if (id !== undefined && text !== "") shown.set(id, text);
    }
  return shown;
}

function controlsIn(form: Element): Element[] {
  return elementsOf(form).flatMap((child) =>
    child.name === "form" ? controlsIn(child) : [child],
  );
}

function valueOf(control: Element): string {
  const label = attributeOf(control, "label") ?? "";
  const value =
    attributeOf(control, "current-value") ?? attributeOf(control, "value") ?? "";
  switch (control.name) {
    case "checkbox":
    case "radio": {
      const isOn =
        (attributeOf(control, "current-state") ?? attributeOf(control, "state")) ===
          "checked" ||
        (attributeOf(control, "current-selected") ?? attributeOf(control, "selected")) ===
          "true";
      return `${BOX(isOn)} ${label}`.trim();
    }
    case "listbox":
      return elementsOf(control, "option")
        .filter(
          (option) =>
            (attributeOf(option, "current-selected") ?? attributeOf(option, "selected")) ===
            "true",
        )
        .map((option) => attributeOf(option, "label") ?? "")
        .join(", ");
    case "textarea":
      return value || elementsOf(control, "p").map(textIn).join("\n");
    case "text":
    case "combobox":
    case "formatted-text":
    case "number":
    case "date":
    case "time":
      return value;
    case "fixed-text":
      return label;
    default:
      return "";
  }
}

/** What a form field of a document from Word shows: its box, or the chosen entry. */
export function fieldMarkOf(mark: Element): string | undefined {
  const type = attributeOf(mark, "type") ?? "";
  const params = elementsOf(mark, "param").map((param) => ({
    name: attributeOf(param, "name") ?? "",
    value: attributeOf(param, "value") ?? "",
  }));
  const valuesOf = (pattern: RegExp) =>
    params.filter(({ name }) => pattern.test(name)).map(({ value }) => value);
  if (/checkbox$/i.test(type)) return BOX(valuesOf(/checked$/i)[0] === "true");
  if (/dropdown$/i.test(type))
    return valuesOf(/listentry/i)[Number(valuesOf(/(?:selected|result)$/i)[0] ?? 0)];
  return undefined;
}
