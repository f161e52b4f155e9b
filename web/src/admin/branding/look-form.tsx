import { useRef } from "react";
import type { Branding } from "../../../../src/services/users/contract-branding.ts";
import { appQuery } from "../../shell/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type BrandingChange, changeBranding } from "./queries.ts";
import { useBrandingTexts } from "./texts.ts";

const USUAL_ACCENT = "#1d5f5a";

/** Name, colour and logo. A colour with too little contrast is made darker or lighter. */
export function LookForm({ branding }: { branding: Branding }) {
  const texts = useBrandingTexts();
  const change = useChange({
    run: (changed: BrandingChange) => changeBranding(changed),
    keys: [appQuery.queryKey],
    onDone: () => notify(texts.saved),
  });
  return (
    <div className="grid max-w-measure gap-4">
      <Logo logo={branding.logo} onChange={(logo) => change.mutate({ logo })} />
      {change.error && <Problem error={change.error} />}
      <NameAndColour branding={branding} />
    </div>
  );
}

function NameAndColour({ branding }: { branding: Branding }) {
  const texts = useBrandingTexts();
  const form = useFormDraft("branding.look", toFields(branding));
  const readNewest = useNewest(appQuery);
  const save = useChange({
    async run() {
      const read = async () => toFields((await readNewest()).branding);
      const { name, colour: accent } = texts;
      return changeBranding((await form.toSave(read, { name, accent })).changes);
    },
    keys: [appQuery.queryKey],
    onDone() {
      form.forget();
      notify(texts.saved);
    },
  });
  const { name, accent } = form.values;
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TextField
        label={texts.name}
        value={name ?? ""}
        placeholder="Parlance"
        maxLength={60}
        onChange={({ target }) => form.change({ name: target.value || null })}
      />
      <Checkbox
        label={texts.ownColour}
        hint={texts.colourHint}
        checked={accent !== null}
        onChange={({ target }) =>
          form.change({ accent: target.checked ? USUAL_ACCENT : null })
        }
      />
      {accent !== null && (
        <TextField
          label={texts.colour}
          type="color"
          value={accent}
          className="w-24"
          onChange={({ target }) => form.change({ accent: target.value })}
        />
      )}
      {save.error && <Problem error={save.error} />}
      <Button
        type="submit"
        look="primary"
        className="justify-self-start"
        busy={save.isPending}
      >
        {texts.save}
      </Button>
    </form>
  );
}

function toFields({ name, accent }: Branding): Pick<Branding, "name" | "accent"> {
  return { name, accent };
}

interface LogoProps {
  logo: Branding["logo"];
  /** Called with the bytes of a picture in base64, or without a picture. */
  onChange: (logo: string | null) => void;
}

function Logo({ logo, onChange }: LogoProps) {
  const texts = useBrandingTexts();
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-3">
      {logo && <img src={logo} alt={texts.logo} className="h-10 max-w-40 object-contain" />}
      <input
        ref={file}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={texts.chooseLogo}
        hidden
        onChange={async ({ target }) => {
          const [picture] = target.files ?? [];
          if (picture) onChange(await readBase64(picture));
          target.value = "";
        }}
      />
      <Button onClick={() => file.current?.click()}>{texts.chooseLogo}</Button>
      {logo && (
        <Button look="quiet" onClick={() => onChange(null)}>
          {texts.removeLogo}
        </Button>
      )}
      <p className="text-xs text-muted">{texts.logoHint}</p>
    </div>
  );
}

/** The bytes of a file in base64. */
async function readBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
