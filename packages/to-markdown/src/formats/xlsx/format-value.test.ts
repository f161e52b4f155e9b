import { expect, test } from "vitest";
import { formatCell, kindOfCode } from "./format-value.ts";
import { readEscapes } from "./read-sheet.ts";

const show = (value: number, code: string, date1904 = false) =>
  formatCell(value, 0, { kindOf: () => kindOfCode(code), codeOf: () => code, date1904 });

test.each([
  [501, "00000", "00501"],
  [12345678, "000-00-0000", "012-34-5678"],
  [77, '"SKU-"0000', "SKU-0077"],
  [1234.5, "[$€-407] #,##0.00", "€ 1,234.50"],
  [1234.5, "#,##0.00", "1234.5"],
  [1.5, "[h]:mm:ss", "36:00:00"],
  [-0.25, "[h]:mm", "-06:00:00"],
  [1234567890123456, "0", "1234567890123456"],
  [0.1 + 0.2, "General", "0.3"],
  [7, '00"', "7"],
  [12345.678, "0.00%", "1234567.8%"],
  [0.07, "0%", "7%"],
  [1 / 3, "0.00%", "33.3333%"],
  [0.00001234, "0.0%", "0.001234%"],
  [-98765.4321, "0%", "-9876543.21%"],
  [123456789, "###-##-####", "123-45-6789"],
  [5551234567, "(###) ###-####", "(555) 123-4567"],
  [0, '0;-0;"n/a"', "n/a"],
  [-5, '0;"loss "0', "loss 5"],
  [83.45 / 86_400, "mm:ss.00", "00:01:23.45"],
  [1.5, "h:mm", "12:00:00"],
  [0.5, "# ?/?", "0.5"],
  [-5, "#,##0_);(#,##0)", "-5"],
])("shows %d in the format %s as %s", (value, code, shown) => {
  expect(show(value, code)).toBe(shown);
});

test("counts days in both calendars of workbooks", () => {
  expect(show(45000, "yyyy-mm-dd")).toBe("2023-03-15");
  expect(show(43538, "yyyy-mm-dd", true)).toBe("2023-03-15");
  expect(show(1, "yyyy-mm-dd", true)).toBe("1904-01-02");
});

test("reads escaped characters, of control characters only breaks and tabs", () => {
  expect(readEscapes("a_x000D_\nb_x0009_c_x0000_d_xD800__x005F_x0041_")).toBe(
    "a\r\nb\tcd\uFFFD_x0041_",
  );
});
