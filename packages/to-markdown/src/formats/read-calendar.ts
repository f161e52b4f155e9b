import { type Block, paragraph, type Run } from "./blocks.ts";
import { decoderNamed } from "./guess-encoding.ts";

interface Field {
  name: string;
  params: Map<string, string>;
  value: string;
}

/** An event, a task, a journal entry or an address card. */
interface Entry {
  kind: string;
  fields: Field[];
}

const ENTRIES = new Set(["VEVENT", "VTODO", "VJOURNAL", "VCARD"]);
/** What is shown of an entry beside its title, in this order. */
const SHOWN: readonly [name: string, label: string][] = [
  ["DTSTART", "Start"],
  ["DTEND", "End"],
  ["DUE", "Due"],
  ["DURATION", "Duration"],
  ["RRULE", "Repeats"],
  ["LOCATION", "Location"],
  ["ORGANIZER", "Organizer"],
  ["ATTENDEE", "Attendees"],
  ["STATUS", "Status"],
  ["CATEGORIES", "Categories"],
  ["ORG", "Organisation"],
  ["TITLE", "Title"],
  ["ROLE", "Role"],
  ["TEL", "Phone"],
  ["EMAIL", "E-mail"],
  ["ADR", "Address"],
  ["BDAY", "Birthday"],
  ["URL", "Link"],
];

/**
 * Reads calendars and address cards: a heading for each entry, its fields, and its description.
 * Source: RFC 5545, RFC 6350, and vCard 2.1 for quoted-printable values.
 */
export function readCalendar(text: string, level = 1): Block[] {
  return readEntries(text).flatMap(({ kind, fields }) => {
    const valuesOf = (name: string) =>
      fields
        .filter((field) => field.name === name)
        .map(shown)
        .filter(Boolean);
    const title =
      kind === "VCARD"
        ? (valuesOf("FN")[0] ?? valuesOf("N")[0] ?? valuesOf("ORG")[0])
        : valuesOf("SUMMARY")[0];
    const lines = SHOWN.flatMap(([name, label]): Run[] => {
      const values = valuesOf(name);
      return values.length === 0
        ? []
        : [
            { text: "\n" },
            { text: `${label}:`, bold: true },
            { text: ` ${values.join(", ")}` },
          ];
    });
    const notes = [...valuesOf("DESCRIPTION"), ...valuesOf("NOTE")];
    return [
      ...(title ? [{ kind: "heading" as const, level, runs: [{ text: title }] }] : []),
      ...(lines.length > 0 ? [paragraph(lines.slice(1))] : []),
      ...notes.map((note) => paragraph([{ text: note }])),
    ];
  });
}

function readEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  const open: string[] = [];
  for (const line of unfolded(text)) {
    const field = readField(line);
    if (!field) continue;
    const value = field.value.trim().toUpperCase();
    if (field.name === "BEGIN") {
      open.push(value);
      if (ENTRIES.has(value)) entries.push({ kind: value, fields: [] });
    } else if (field.name === "END") open.pop();
    else if (ENTRIES.has(open.at(-1) ?? "")) entries.at(-1)?.fields.push(field);
  }
  return entries;
}

/** Long lines continue after a space, or in vCard 2.1 after a line that ends with `=`. */
function unfolded(text: string): string[] {
  const lines: string[] = [];
  let isQuoted = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const last = lines.length - 1;
    if (isQuoted && lines[last]?.endsWith("="))
      lines[last] = lines[last].slice(0, -1) + line;
    else if (/^[ \t]/.test(line) && last >= 0) lines[last] += line.slice(1);
    else {
      isQuoted = /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line);
      lines.push(line);
    }
  }
  return lines;
}

/** `group.NAME;PARAM=value;PARAM="a:b":value` */
function readField(line: string): Field | undefined {
  let colon = -1;
  let isInQuotes = false;
  for (let at = 0; at < line.length && colon < 0; at += 1) {
    if (line[at] === '"') isInQuotes = !isInQuotes;
    else if (line[at] === ":" && !isInQuotes) colon = at;
  }
  if (colon <= 0) return undefined;
  const [name = "", ...rest] = line.slice(0, colon).split(";");
  const params = new Map(
    rest.map((param) => {
      const [key = "", value = key] = param.split("=", 2);
      return [key.toUpperCase(), value.replaceAll('"', "")];
    }),
  );
  const own = name.slice(name.lastIndexOf(".") + 1).toUpperCase();
  return { name: own, params, value: line.slice(colon + 1) };
}

/** A value as people read it. */
function shown(field: Field): string {
  const { name, params } = field;
  const value = unescaped(decoded(field));
  if (name === "DTSTART" || name === "DTEND" || name === "DUE" || name === "BDAY")
    return dateOf(value, params.get("TZID"));
  if (name === "ORGANIZER" || name === "ATTENDEE") {
    const address = value.replace(/^mailto:/i, "");
    const person = params.get("CN");
    return person && person !== address ? `${person} <${address}>` : address;
  }
  if (name === "ADR" || name === "ORG") return partsOf(field).join(", ");
  if (name === "N") {
    const [family, given, ...more] = partsOf(field);
    return [given, ...more, family].filter(Boolean).join(" ");
  }
  if (name === "TEL" || name === "EMAIL") {
    const kind = params.get("TYPE")?.toLowerCase();
    const number = value.replace(/^(?:tel|mailto):/i, "");
    return kind ? `${number} (${kind.replaceAll(",", ", ")})` : number;
  }
  return value.trim();
}

function partsOf(field: Field): string[] {
  return decoded(field)
    .split(/(?<!\\);/)
    .map((part) => unescaped(part).trim())
    .filter(Boolean);
}

function decoded({ params, value }: Field): string {
  const isQuoted =
    params.has("QUOTED-PRINTABLE") ||
    /^quoted-printable$/i.test(params.get("ENCODING") ?? "");
  if (!isQuoted) return value;
  const raw = value.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  const decoder = decoderNamed(params.get("CHARSET") ?? "utf-8");
  return decoder ? decoder.decode(Buffer.from(raw, "latin1")) : raw;
}

function unescaped(value: string): string {
  return value.replace(/\\([nN,;:\\])/g, (_, sign: string) =>
    sign.toLowerCase() === "n" ? "\n" : sign,
  );
}

/** `20260301T093000Z` as `2026-03-01 09:30 UTC`. */
function dateOf(value: string, zone: string | undefined): string {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?\d{2})?(Z?))?/.exec(
    value,
  );
  if (!parts) return value.trim();
  const [, year, month, day, hour, minute, utc] = parts;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  return [`${date} ${hour}:${minute}`, utc === "Z" ? "UTC" : zone]
    .filter(Boolean)
    .join(" ");
}
