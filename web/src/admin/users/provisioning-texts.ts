import { texts } from "../../texts/language.ts";

const en = {
  title: "Provisioning",
  hint:
    "Your identity provider, such as Entra ID or Okta, creates, changes and disables accounts and " +
    "manages groups here by itself (SCIM 2.0). Give it this address and a token.",
  address: "Address for the identity provider",
  copy: "Copy address",
  copied: "The address is copied.",
  create: "Create a token",
  empty: "No token yet",
  emptyHint: "With one, your identity provider keeps accounts and groups up to date.",
  name: "Name",
  nameHint: "Which identity provider uses it. The audit log shows the name.",
  expires: "Expires",
  expiry: { "180": "In 180 days", "365": "In a year", never: "Never" },
  warning:
    "Whoever has the token may create, change and delete every account of your organisation, and " +
    "give the roles of groups.",
  made: "Your new token",
  once: "Copy it now: it is not shown again.",
  until: (date: string) => `until ${date}`,
  expired: (date: string) => `expired ${date}`,
  forever: "does not expire",
  used: (ago: string) => `last used ${ago}`,
  unused: "never used",
  by: (name: string) => `made by ${name}`,
  byNobody: "made by a deleted account",
  refused: "Refused: who made it is no administrator now. Create another one.",
  revoke: "Revoke",
  revokeTitle: "Revoke this token?",
  revokeText: (name: string) =>
    `“${name}” can no longer manage accounts and groups. Those that are there stay as they are.`,
  revoked: "The token is revoked.",
};

const de = {
  title: "Bereitstellung",
  hint:
    "Ihr Identitätsanbieter, etwa Entra ID oder Okta, legt hier selbst Konten an, ändert und " +
    "deaktiviert sie und verwaltet Gruppen (SCIM 2.0). Geben Sie ihm diese Adresse und ein Token.",
  address: "Adresse für den Identitätsanbieter",
  copy: "Adresse kopieren",
  copied: "Die Adresse ist kopiert.",
  create: "Token anlegen",
  empty: "Noch kein Token",
  emptyHint: "Mit einem hält Ihr Identitätsanbieter Konten und Gruppen aktuell.",
  name: "Name",
  nameHint: "Welcher Identitätsanbieter es benutzt. Das Protokoll zeigt den Namen.",
  expires: "Läuft ab",
  expiry: { "180": "In 180 Tagen", "365": "In einem Jahr", never: "Nie" },
  warning:
    "Wer das Token hat, kann jedes Konto Ihrer Organisation anlegen, ändern und löschen und die " +
    "Rollen von Gruppen vergeben.",
  made: "Ihr neues Token",
  once: "Kopieren Sie es jetzt: Es wird nicht noch einmal angezeigt.",
  until: (date: string) => `bis ${date}`,
  expired: (date: string) => `abgelaufen ${date}`,
  forever: "läuft nicht ab",
  used: (ago: string) => `zuletzt benutzt ${ago}`,
  unused: "noch nie benutzt",
  by: (name: string) => `angelegt von ${name}`,
  byNobody: "angelegt von einem gelöschten Konto",
  refused:
    "Abgewiesen: Wer es angelegt hat, ist nicht mehr Administrator. Legen Sie ein neues an.",
  revoke: "Widerrufen",
  revokeTitle: "Dieses Token widerrufen?",
  revokeText: (name: string) =>
    `„${name}“ kann Konten und Gruppen nicht mehr verwalten. Vorhandene bleiben, wie sie sind.`,
  revoked: "Das Token ist widerrufen.",
} satisfies typeof en;

export const useProvisioningTexts = texts({ en, de });
