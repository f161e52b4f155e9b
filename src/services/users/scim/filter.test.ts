import { describe, expect, test } from "vitest";
import { parseFilter } from "./filter.ts";

const equal = (path: string, value: unknown) => ({
  kind: "compare",
  path,
  operator: "eq",
  value,
});

describe("a filter", () => {
  test.each([
    ['userName eq "ada"', equal("userName", "ada")],
    ['userName EQ "a \\"b\\" ) ["', equal("userName", 'a "b" ) [')],
    ["active eq True", equal("active", true)],
    ["title pr", { kind: "present", path: "title" }],
    [
      'emails[type eq "work"]',
      { kind: "value", path: "emails", part: equal("type", "work") },
    ],
    [
      'a eq "1" or b eq "2" and not (c pr)',
      {
        kind: "or",
        parts: [
          equal("a", "1"),
          {
            kind: "and",
            parts: [equal("b", "2"), { kind: "not", part: { kind: "present", path: "c" } }],
          },
        ],
      },
    ],
  ])("is read: %s", (text, expected) => {
    expect(parseFilter(text)).toEqual(expected);
  });

  test.each([
    "",
    "userName",
    "userName eq",
    "userName eq ada",
    'userName is "ada"',
    'userName eq "ada',
    '(userName eq "ada"',
    'userName eq "ada")',
    'userName eq "ada" userName',
    "(".repeat(50),
    'a eq "1" or '.repeat(200).concat('a eq "1"'),
    `a eq "${"x".repeat(5_000)}"`,
  ])("is refused where it is not whole or too large: %s", (text) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ code: "scim_filter_invalid" }),
    );
  });
});
