import { type Language, texts } from "../texts/language.ts";

interface FieldTexts {
  /** By the name of the field; missing where the schema says it in this language. */
  labels: Record<string, string>;
  /** By the description in the schema. */
  hints: Record<string, string>;
  /** Of an address that need not be given. */
  usually: (address: string) => string;
}

const en: FieldTexts = {
  labels: {},
  hints: {},
  usually: (address) => `Default: ${address}`,
};
export const deFieldTexts: FieldTexts = {
  labels: {
    accessKeyId: "Kennung des Zugriffsschlüssels",
    apiKey: "API-Schlüssel",
    apiVersion: "Version der API",
    baseUrl: "Adresse",
    endpoint: "Endpunkt",
    engineId: "Kennung der Suchmaschine",
    region: "Region",
    secretAccessKey: "Geheimer Zugriffsschlüssel",
    sessionToken: "Sitzungstoken",
  },
  hints: {
    "API key": "",
    "API version": "",
    "AWS region": "Von AWS, etwa eu-central-1",
    "Access key id": "",
    "Address that ends before /chat/completions":
      "Adresse, die vor /chat/completions endet",
    "Another endpoint, such as a VPC's": "Ein anderer Endpunkt, etwa der eines VPC",
    "Google calls it cx": "Google nennt sie cx",
    "Its settings must permit the format json":
      "Ihre Einstellungen müssen das Format json erlauben",
    "Secret access key": "",
    "Session token": "",
  },
  usually: (address) => `Standard: ${address}`,
};
const dictionaries: Record<Language, FieldTexts> = { en, de: deFieldTexts };

export const useFieldTexts = texts(dictionaries);

const DEFAULT = /^Default: (?<address>.+)$/;

/** What a form calls a field, in the language of these texts. */
export function nameField(
  { name, label, hint }: { name: string; label: string; hint: string | undefined },
  own: FieldTexts,
): { label: string; hint: string | undefined } {
  const address = hint?.match(DEFAULT)?.groups?.["address"];
  const said = address ? own.usually(address) : hint && (own.hints[hint] ?? hint);
  return { label: own.labels[name] ?? label, hint: said || undefined };
}
