import { useQuery } from "@tanstack/react-query";
import { appQuery } from "../../shell/queries.ts";
import { Section } from "../../ui/section.tsx";
import { PartSection } from "../part-section.tsx";
import { Field } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { useBrandingTexts } from "./texts.ts";
import type { Branding } from "../../../../src/services/users/contract-branding.ts";
import { useChange } from "../../shell/use-change.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notices.tsx";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { changeBranding, type BrandingChange } from "./queries.ts";
import { useRef } from "react";
import { Checkbox } from "../../ui/checkbox.tsx";

/** The name, colour and logo of the installation, and a notice to everybody. */
export function BrandingPage() {
  const texts = useBrandingTexts();
  const { data, error, refetch } = useQuery(appQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading shape="fields" lines={4} />;
  return (
    <>
      <PartSection title={texts.title} hint={texts.hint}>
        <LookForm branding={data.branding} />
      </PartSection>
      <Section title={texts.notice} hint={texts.noticeHint}>
        <NoticeForm notice={data.branding.notice} />
      </Section>
    </>
  );
}

/** A sentence at the top of every page, until a time or until it is removed. */
function NoticeForm({ notice }: Pick<Branding, "notice">) {
  const texts = useBrandingTexts();
  const form = useFormDraft("branding.notice", { notice });
  const readNewest = useNewest(appQuery);
  const change = useChange({
    async run(changed: Branding["notice"] | "as written") {
      if (changed !== "as written") return changeBranding({ notice: changed });
      const read = async () => ({ notice: (await readNewest()).branding.notice });
      const { changes } = await form.toSave(read, { notice: texts.noticeText });
      return changeBranding(changes);
    },
    keys: [appQuery.queryKey],
    onDone() {
      form.forget();
      notify(texts.saved);
    },
  });
  const { text, until } = form.values.notice ?? { text: "", until: null };
  return (
    <form
      className="grid max-w-measure gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate("as written");
      }}
    >
      <TextArea
        label={texts.noticeText}
        rows={2}
        value={text}
        maxLength={500}
        required
        onChange={({ target }) => form.change({ notice: { text: target.value, until } })}
      />
      <DateTimeField
        label={texts.until}
        hint={texts.untilHint}
        value={until}
        onChange={(next) => form.change({ notice: { text, until: next } })}
      />
      {change.error && <Problem error={change.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.show}
        </Button>
        {notice && (
          <Button look="quiet" onClick={() => change.mutate(null)}>
            {texts.takeAway}
          </Button>
        )}
      </div>
    </form>
  );
}

const USUAL_ACCENT = "#1d5f5a";

/** Name, colour and logo. A colour with too little contrast is made darker or lighter. */
function LookForm({ branding }: { branding: Branding }) {
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
        <Field label={texts.colour}>
          {(control) => (
            <input
              {...control}
              type="color"
              value={accent}
              onChange={({ target }) => form.change({ accent: target.value })}
              className={
                "h-9 w-16 cursor-pointer appearance-none rounded-md border border-control " +
                "bg-raised p-1 pointer-coarse:h-11 [&::-moz-color-swatch]:rounded-sm " +
                "[&::-moz-color-swatch]:border-0 [&::-webkit-color-swatch]:rounded-sm " +
                "[&::-webkit-color-swatch]:border-0 [&::-webkit-color-swatch-wrapper]:p-0"
              }
            />
          )}
        </Field>
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
