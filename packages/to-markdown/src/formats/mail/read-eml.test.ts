import { expect, test } from "vitest";
import { fileToMarkdown } from "../file-to-markdown.ts";

const read = async (head: string[], body: string) => {
  const bytes = Buffer.from([...head, "", body].join("\r\n"), "latin1");
  return (await fileToMarkdown(bytes, { fileName: "a.eml" })).markdown;
};
const FROM = "From: Ada <ada@example.org>";
const plain = (type: string, body: string) =>
  read([FROM, "Subject: S", `Content-Type: text/plain; ${type}`], body);

test.each([
  // the two bytes of ü are in two words
  ["=?utf-8?B?R3LDvA==?= =?utf-8?B?w58=?=", "Grüß"],
  ["=?utf-8?B?R3LD?=\r\n =?utf-8?B?vMOf?=", "Grüß"],
  ["=?utf-8?Q?Gr=C3?= =?UTF-8?Q?=BC=C3=9F?= an alle", "Grüß an alle"],
  ["=?iso-8859-1?Q?Gr=FC=DF?= =?utf-8?B?4oKs?=", "Grüß€"],
  ["Re: =?utf-8?Q?=E2=82=AC?= 5 =?utf-8?Q?=E2=82=AC?=", "Re: € 5 €"],
  ["=?utf-8?q?a?b?=", "=?utf-8?q?a?b?="],
])("the subject %s is read as %s", async (subject, expected) => {
  expect(await read([FROM, `Subject: ${subject}`], "text")).toContain(`# ${expected}`);
});

test("the reason of a delivery that failed is kept", async () => {
  const body = [
    "--b",
    "Content-Type: text/plain",
    "",
    "Your message could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    "",
    "Final-Recipient: rfc822; bob@example.org",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 No such user",
    "--b--",
  ].join("\r\n");
  const type = "Content-Type: multipart/report; report-type=delivery-status; boundary=b";
  const markdown = await read([FROM, "Subject: Undelivered", type], body);
  for (const words of ["could not be delivered", "Status: 5.1.1", "No such user"])
    expect(markdown).toContain(words);
});

test.each([
  [
    "format=flowed",
    "One long \r\nparagraph of \r\ntext.\r\nNext.",
    "One long paragraph of text.\nNext.",
  ],
  ["format=flowed; delsp=yes", "Some \r\nthing long.", "Something long."],
  [
    "format=flowed",
    "> Said \r\n> before.\r\nAnswer \r\nhere.",
    "> Said before.\n\nAnswer here.",
  ],
  ["format=flowed", "-- \r\nAda", "\\--\nAda"],
  ["format=fixed", "One \r\nTwo", "One\nTwo"],
])(
  "lines of text with %s are joined as their program broke them",
  async (type, body, expected) => {
    const markdown = (await plain(type, body)).replaceAll(/ {2}$|\\$/gm, "");
    expect(markdown).toContain(expected);
  },
);

test("UTF-7 is read where a part names it, and only there", async () => {
  expect(await plain("charset=utf-7", "Gr+APwA3w-e")).toContain("Grüße");
  expect(await plain("charset=us-ascii", "a +AOk- b")).toContain("a +AOk- b");
});

test("an invitation shows what, when and where", async () => {
  const body = [
    "--b",
    "Content-Type: text/plain",
    "",
    "Please come.",
    "--b",
    "Content-Type: text/calendar; method=REQUEST",
    "",
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "SUMMARY:Planning\\, part two",
    "DTSTART;TZID=Europe/Berlin:20260301T093000",
    "LOCATION:Room 4",
    "END:VEVENT",
    "END:VCALENDAR",
    "--b--",
  ].join("\r\n");
  const markdown = await read(
    [FROM, "Subject: Invitation", "Content-Type: multipart/alternative; boundary=b"],
    body,
  );
  for (const words of [
    "Please come.",
    "## Planning, part two",
    "2026-03-01 09:30 Europe/Berlin",
    "Room 4",
  ])
    expect(markdown).toContain(words);
  expect(markdown).not.toContain("BEGIN:");
});
