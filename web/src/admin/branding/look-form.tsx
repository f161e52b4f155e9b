import { useRef, useState } from "react";
import type { Branding } from "../../../../src/services/users/contract-branding.ts";
import { appQuery } from "../../shell/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { textOf } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type BrandingChange, changeBranding } from "./queries.ts";
import { readBase64 } from "./read-file.ts";
import { useBrandingTexts } from "./texts.ts";

const USUAL_ACCENT = "#1d5f5a";

/** Name, colour and logo. The colour is made darker or lighter where it could not be read. */
export function LookForm({ branding }: { branding: Branding }) {
  const texts = useBrandingTexts();
  const change = useChange({
    run: (changed: BrandingChange) => changeBranding(changed),
    keys: [appQuery.queryKey],
    onDone: () => notify(texts.saved),
  });
  return (
    <div className="grid max-w-measure gap-4">
      <NameAndColour branding={branding} busy={change.isPending} onSave={change.mutate} />
      <Logo logo={branding.logo} onChange={(logo) => change.mutate({ logo })} />
      {change.error && <Problem error={change.error} />}
    </div>
  );
}

interface NameAndColourProps {
  branding: Branding;
  busy: boolean;
  onSave: (change: BrandingChange) => void;
}

function NameAndColour({ branding, busy, onSave }: NameAndColourProps) {
  const texts = useBrandingTexts();
  const [hasColour, setHasColour] = useState(branding.accent !== null);
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const accent = hasColour ? textOf(fields, "accent") : null;
        onSave({ name: textOf(fields, "name") || null, accent });
      }}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={branding.name ?? ""}
        placeholder="Parlance"
        maxLength={60}
      />
      <Checkbox
        label={texts.ownColour}
        hint={texts.colourHint}
        checked={hasColour}
        onChange={({ target }) => setHasColour(target.checked)}
      />
      {hasColour && (
        <TextField
          label={texts.colour}
          name="accent"
          type="color"
          defaultValue={branding.accent ?? USUAL_ACCENT}
          className="w-24"
        />
      )}
      <Button type="submit" look="primary" className="justify-self-start" busy={busy}>
        {texts.save}
      </Button>
    </form>
  );
}

interface LogoProps {
  logo: Branding["logo"];
  /** With the bytes of a picture in base64, or with none. */
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
