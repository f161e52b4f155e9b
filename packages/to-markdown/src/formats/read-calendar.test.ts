import { expect, test } from "vitest";
import { fileToMarkdown } from "./file-to-markdown.ts";

const read = async (lines: string[], fileName: string) =>
  (await fileToMarkdown(Buffer.from(lines.join("\r\n")), { fileName })).markdown;

test("each event of a calendar is shown with its times, people and description", async () => {
  const markdown = await read(
    [
      "BEGIN:VCALENDAR",
      "BEGIN:VTIMEZONE",
      "TZID:Europe/Berlin",
      "END:VTIMEZONE",
      "BEGIN:VEVENT",
      "SUMMARY:Budget of a very long na",
      " me",
      "DTSTART:20260301T080000Z",
      "DTEND:20260301T090000Z",
      'ORGANIZER;CN="Lovelace: Ada":mailto:ada@example.org',
      "ATTENDEE;CN=Bob:mailto:bob@example.org",
      "ATTENDEE:mailto:eve@example.org",
      "DESCRIPTION:First line\\nSecond\\; with signs",
      "BEGIN:VALARM",
      "DESCRIPTION:Reminder",
      "END:VALARM",
      "END:VEVENT",
      "BEGIN:VTODO",
      "SUMMARY:Pay",
      "DUE;VALUE=DATE:20260401",
      "END:VTODO",
      "END:VCALENDAR",
    ],
    "a.ics",
  );
  for (const words of [
    "# Budget of a very long name",
    "2026-03-01 08:00 UTC",
    "Lovelace: Ada",
    "Bob",
    "eve@example.org",
    "Second; with signs",
    "# Pay",
    "2026-04-01",
  ])
    expect(markdown).toContain(words);
  expect(markdown).not.toMatch(/Reminder|VEVENT|TZID/);
});

test("address cards of each version are shown by name", async () => {
  const markdown = await read(
    [
      "BEGIN:VCARD",
      "VERSION:2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg",
      "ADR;WORK;ENCODING=QUOTED-PRINTABLE:;;Haupt=",
      "stra=C3=9Fe 1;Bonn",
      "END:VCARD",
      "BEGIN:VCARD",
      "VERSION:4.0",
      "FN:Ada Lovelace",
      "item1.TEL;TYPE=cell:tel:+44-1",
      "EMAIL:ada@example.org",
      "ORG:Engines;Analysis",
      "END:VCARD",
    ],
    "a.vcf",
  );
  for (const words of [
    "# Jörg Müller",
    "Hauptstraße 1, Bonn",
    "# Ada Lovelace",
    "+44-1 (cell)",
    "ada@example.org",
    "Engines, Analysis",
  ])
    expect(markdown).toContain(words);
});
